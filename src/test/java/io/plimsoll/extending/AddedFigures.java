package io.plimsoll.extending;

import static io.plimsoll.scenario.Check.Dimension.COUNT;

import io.plimsoll.measure.WireUse;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureSet;
import java.util.List;

/** The figure that docs/contributing/extending.md adds. */
public final class AddedFigures implements FigureSet {
    @Override
    public List<Figure> figures() {
        return List.of(Figure.of("produce.batchRate", COUNT)
                .counted(s -> s.perSecond(WireUse.BATCHES))
                .chart("batches", "c2")
                .column(9));
    }
}
