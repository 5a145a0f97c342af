package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.report.ComparisonView;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.result.Json;
import io.plimsoll.text.Language;

/** A comparison as one HTML file that needs no network, made of the same parts as {@link HtmlReport}. */
public final class ComparisonPage {
    private ComparisonPage() {}

    public static String render(Comparison comparison, Language language) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.set("comparison", Json.MAPPER.valueToTree(ComparisonView.of(comparison)));
        Sayings.addTo(page);
        return Page.assembleComparison(page, language);
    }
}
