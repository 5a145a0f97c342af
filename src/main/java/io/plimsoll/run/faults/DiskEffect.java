package io.plimsoll.run.faults;

import io.plimsoll.lab.Lab;

/** A broker finds no room for its data any more; it ends for that, as its only disk has failed, and is started again. */
record DiskEffect(Lab lab, int id, String whom) implements Effect {
    @Override
    public String what() {
        return "fill the disk of " + whom;
    }

    @Override
    public Integer broker() {
        return id;
    }

    @Override
    public void begin() {
        lab.fillDisk(id);
    }

    @Override
    public void end() {
        lab.freeDisk(id);
        if (lab.brokers().stream().anyMatch(broker -> broker.id() == id && !broker.alive())) {
            lab.restart(id);
        }
    }

    @Override
    public boolean endsQuickly() {
        return false;
    }
}
