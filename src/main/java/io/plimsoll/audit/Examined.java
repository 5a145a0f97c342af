package io.plimsoll.audit;

/**
 * The part of a partition that was examined.
 *
 * @param begin the first offset that is still in the log
 * @param next offsets below it were examined; {@link Long#MAX_VALUE} if the log was read to its end
 * @param expires the topic's own settings may have deleted records by now
 */
public record Examined(LogPartition partition, long begin, long next, boolean expires) {}
