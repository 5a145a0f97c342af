package io.plimsoll.run.faults;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/**
 * Something that can be done by hand to a broker of a lab.
 *
 * @param name of the command
 * @param description of the command, a line each
 * @param toTheDead whether it can be done to a broker that does not run
 * @param possible to which brokers it is done if any will do
 * @param done said afterwards, with <code>{0}</code> for the broker's id and <code>{1}</code> for the option that names
 *     the lab
 */
public record ByHand(
        String name,
        List<String> description,
        boolean toTheDead,
        Predicate<LabBroker> possible,
        ObjIntConsumer<Lab> deed,
        String done) {}
