package io.plimsoll.run.faults;

import io.plimsoll.lab.Impairment;
import io.plimsoll.lab.Lab;

/** What is between a broker and those who talk to it gets worse. */
record NetworkEffect(Lab lab, int id, String what, Impairment impairment) implements Effect {
    @Override
    public Integer broker() {
        return id;
    }

    @Override
    public void begin() {
        lab.impair(id, impairment);
    }

    @Override
    public void end() {
        lab.impair(id, Impairment.NONE);
    }

    @Override
    public boolean endsQuickly() {
        return true;
    }
}
