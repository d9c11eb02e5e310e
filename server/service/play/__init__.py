"""What changes a running game, one transaction each: moves, undo, time-outs, pauses, vacations, reminders."""
