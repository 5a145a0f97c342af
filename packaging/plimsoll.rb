# Homebrew: the archive without Java, on the Java that Homebrew has. Made by bin/package; the address is that of a release.
class Plimsoll < Formula
  desc "Load tester for Apache Kafka that says only what is true"
  homepage "@url@"
  url "@url@/releases/@version@/plimsoll-@version@.tar.xz"
  sha256 "@sha256@"
  license "Apache-2.0"

  depends_on "openjdk@17"

  def install
    libexec.install Dir["*"]
    man1.install Dir[libexec/"share/*.1"]
    bash_completion.install libexec/"share/plimsoll.bash" => "plimsoll"
    zsh_completion.install libexec/"share/_plimsoll"
    fish_completion.install libexec/"share/plimsoll.fish"
    (bin/"plimsoll").write_env_script libexec/"bin/plimsoll", JAVA_HOME: Formula["openjdk@17"].opt_prefix
  end

  test do
    assert_match "plimsoll @version@", shell_output("#{bin}/plimsoll --version")
  end
end
