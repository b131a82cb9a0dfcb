"""What all learners share: parameters, targets, time, being saved."""
