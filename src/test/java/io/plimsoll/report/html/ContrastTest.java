package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Colors meet WCAG 2.2: 4.5 : 1 for text, including chart text, and 3 : 1 for curves. */
class ContrastTest {
    private static Map<String, String> colours(String theme) throws IOException {
        String style;
        try (InputStream in = ContrastTest.class.getResourceAsStream("/report/page.css")) {
            style = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        int from = style.indexOf(theme);
        Map<String, String> colours = new HashMap<>();
        Pattern.compile("--([\\w-]+): (#[0-9a-f]{6})")
                .matcher(style.substring(from, style.indexOf('}', from)))
                .results()
                .forEach(m -> colours.put(m.group(1), m.group(2)));
        return colours;
    }

    private static double luminance(String colour) {
        double[] weights = {0.2126, 0.7152, 0.0722};
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            double c = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            sum += weights[i] * (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    private static double contrast(String a, String b) {
        double x = luminance(a) + 0.05;
        double y = luminance(b) + 0.05;
        return Math.max(x, y) / Math.min(x, y);
    }

    @ParameterizedTest
    @ValueSource(strings = {":root {", ":root[data-theme=\"dark\"] {"})
    void colorsHaveEnoughContrast(String theme) throws IOException {
        Map<String, String> colours = colours(theme);
        for (String text : List.of("text", "muted", "accent", "good", "bad", "warn")) {
            for (String ground : List.of("ground", "panel", "code", "accent-soft", text + "-soft")) {
                if (colours.containsKey(ground)) {
                    assertThat(contrast(colours.get(text), colours.get(ground)))
                            .as(text + " on " + ground)
                            .isGreaterThanOrEqualTo(4.5);
                }
            }
        }
        List<String> curves =
                colours.keySet().stream().filter(c -> c.matches("c\\d|q.*")).toList();
        assertThat(curves).hasSizeGreaterThan(10);
        for (String curve : curves) {
            assertThat(contrast(colours.get(curve), colours.get("panel")))
                    .as(curve)
                    .isGreaterThanOrEqualTo(3);
        }
    }
}
