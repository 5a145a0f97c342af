package io.plimsoll.load.share;

import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.WorkSpec;
import java.time.Duration;
import java.util.List;

/** The kind of consumers in share groups. */
public final class ShareKind implements LoadKind, ConsumerKind {
    @Override
    public String name() {
        return "share";
    }

    @Override
    public boolean sharesPartitions() {
        return true;
    }

    @Override
    public List<Key<?>> consumerKeys() {
        return ShareSettings.ALL;
    }

    @Override
    public boolean changesGroups(ConsumerSpec spec) {
        return !ShareSettings.group(spec).isEmpty();
    }

    @Override
    public Consumers create(ConsumerKind.Entry entry) {
        return new ShareConsumers(entry);
    }

    @Override
    public void check(ConsumerSpec spec, String part) {
        boolean decides = spec.get(ShareSettings.RELEASE) > 0
                || spec.get(ShareSettings.REJECT) > 0
                || spec.work().map(WorkSpec::failures).orElse(0.0) > 0;
        LoadKind.refuse(decides && !ShareSettings.explicit(spec), part + ".acknowledge", "load.shareNeedsExplicit");
        LoadKind.refuse(
                spec.rewind().isPresent()
                        || spec.start() instanceof ConsumerSpec.Start.Offset
                        || spec.start() instanceof ConsumerSpec.Start.Timestamp,
                part + ".start",
                "load.shareHasNoOffsets");
        ConsumerKind.checkBlocking(spec, part);
    }

    @Override
    public void tryOut(LoadContext context, ConsumerSpec spec, String part) {
        ShareConsumers.create(ShareSettings.client(context, spec, groupId(context, spec, part, 0), 0), part)
                .close(Duration.ZERO);
    }

    @Override
    public boolean ownsOffsets() {
        return false;
    }

    @Override
    public boolean feedsAudit(boolean byBatch) {
        return false;
    }
}
