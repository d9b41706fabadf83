"""What goes wrong at a table: rulings, corrections, devices, disputes."""
