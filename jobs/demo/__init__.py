"""What `turnero demo` needs: a real forum on this machine, and the players of one night."""
