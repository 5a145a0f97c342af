package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Terminal output is in the requested language; output for programs is not translated. */
class TerminalLanguageTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run --nothing | plimsoll: 未知选项：'--nothing'",
                "consume | plimsoll: 缺少必需的选项：'--topic=NAME'",
                "rnu | «cli.noCommand¦rnu»",
                "rnu | «cli.meantCommand¦plimsoll run»",
                "lab up | «cli.meantCommand¦plimsoll lab start»",
                "lab --brokers=3 | «cli.meantCommand¦plimsoll lab start»",
                "lab | «cli.sayWhat¦lab¦start、status、stop»",
                "lab start --broker-config x | «cli.expected¦--broker-config¦NAME=VALUE¦x»",
                "ceiling --by size | «cli.expected¦--by¦records 或 bytes¦size»",
                "ceiling --trial-length x | --trial-length：应为时长",
                "host --size huge | plimsoll: --size：应为",
                "end-to-end-latency --topic t | plimsoll: 缺少 --bootstrap-server。",
                "producer-perf-test --topic t --num-records 0 --throughput 1 --record-size 9 | «cli.giveInstead¦--num-records¦0»",
                "report --format pdf nowhere | «cli.noFormat¦pdf»",
                "run nowhere.yaml | plimsoll: 文件 nowhere.yaml 不存在",
                "host --seconds soon | plimsoll: --seconds：应为数字",
                "report | plimsoll: 缺少 RUN_DIR。",
                "report a b | plimsoll: 多余的参数：b。",
                "report a --trial x --trial y | plimsoll: --trial 只能给出一次。",
                "run --lang xx | «cli.noLanguage¦xx»",
                "run --lab-what | «cli.tryHelp¦plimsoll run»",
            })
    void reportsMistakesInChinese(String words, String message) {
        InProcess run = InProcess.run(Language.ZH, words.split(" "));
        assertThat(run.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(run.err()).containsPattern(Said.zhPattern(message));
        assertThat(InProcess.run(words.split(" ")).err()).doesNotContainPattern("\\p{IsHan}");
    }

    @Test
    void showsHelpOfManualFaultsInChinese() {
        assertThat(InProcess.run(Language.ZH, "lab", "pause", "--help").out()).contains("挂起一个 broker 的进程");
        assertThat(InProcess.run("lab", "pause", "--help").out()).contains(Said.text("«run.byHand.pause.help»"));
    }

    @Test
    void doesNotTranslateJson(@TempDir Path directory) {
        String[] words = {"host", "--no-measure", "--json", "--dir", directory.toString()};
        assertThat(InProcess.run(Language.ZH, words).out().replaceAll("\"usableBytes\".*", ""))
                .isEqualTo(InProcess.run(words).out().replaceAll("\"usableBytes\".*", ""));
        assertThat(InProcess.run(Language.ZH, "host", "--no-measure").out())
                .startsWith("主机 ")
                .contains("\n  目录 ");
    }
}
