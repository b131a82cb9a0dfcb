// Repeated stratified cross-validation of Weka's tree learners, one line per run:
//
//     java -cp weka.jar WekaTrees.java FOLDS SEEDS < JOBS
//
// A line of JOBS is "file.arff<TAB>first seed<TAB>class name and options of the learner". For each
// of SEEDS seeds from the first on it prints, separated by tabs: file, seed, learner, accuracy in
// percent, mean number of nodes. FOLDS 0: one tree on all rows, whose accuracy is that on the
// training rows.

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.util.Locale;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.core.AdditionalMeasureProducer;
import weka.core.Instances;
import weka.core.Utils;

public class WekaTrees {
    public static void main(String[] arguments) throws Exception {
        int folds = Integer.parseInt(arguments[0]);
        int seeds = Integer.parseInt(arguments[1]);
        BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in));
        for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
            String[] job = line.split("\t");
            Instances data = new Instances(new BufferedReader(new FileReader(job[0])));
            data.setClassIndex(data.numAttributes() - 1);
            int first = Integer.parseInt(job[1]);
            for (int seed = first; seed < first + seeds; ++seed) {
                double[] found = run(data, job[2], seed, folds);
                System.out.printf(Locale.ROOT, "%s\t%d\t%s\t%.6f\t%.3f%n", job[0], seed, job[2],
                                  found[0], found[1]);
                System.out.flush();
            }
        }
    }

    // Accuracy over all test rows, and the mean number of nodes.
    static double[] run(Instances all, String learner, int seed, int folds) throws Exception {
        Instances data = new Instances(all);
        Random random = new Random(seed);
        int parts = Math.max(1, folds);
        if (folds > 0) {
            data.randomize(random);
            data.stratify(folds);
        }
        double right = 0;
        double size = 0;
        for (int fold = 0; fold < parts; ++fold) {
            Instances train = folds > 0 ? data.trainCV(folds, fold, random) : data;
            Instances test = folds > 0 ? data.testCV(folds, fold) : data;
            String[] options = Utils.splitOptions(learner);
            String name = options[0];
            options[0] = "";
            Classifier tree = Classifier.forName(name, options);
            tree.buildClassifier(train);
            size += ((AdditionalMeasureProducer) tree).getMeasure("measureTreeSize");
            for (int i = 0; i < test.numInstances(); ++i) {
                double answer = tree.classifyInstance(test.instance(i));
                right += answer == test.instance(i).classValue() ? 1 : 0;
            }
        }
        return new double[] {100 * right / data.numInstances(), size / parts};
    }
}
