"""Training pictures for the learned reader of dice: scenes sampled, drawn, rendered, labelled."""
