"""Training of the disfluency tagger: data, synthesis, training, evaluation and export."""
