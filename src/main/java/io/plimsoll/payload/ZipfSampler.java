package io.plimsoll.payload;

import java.util.SplittableRandom;

/**
 * Zipf's law over the ranks 1 to n: rank k has a probability proportional to {@code k^-s}. Exact, in constant time
 * and memory, by rejection-inversion (W. Hörmann, G. Derflinger: Rejection-inversion to generate variates from
 * monotone discrete distributions, 1996).
 *
 * <p>With {@code h(x) = x^-s} and its integral {@code H}, u is uniform between {@code H(3/2) − h(1)} and {@code H(n +
 * 1/2)}, and k is {@code H⁻¹(u)} rounded. Since h is convex, the interval of u for k is at least {@code h(k)} long; k
 * is accepted on exactly {@code h(k)} of it, where {@code u ≥ H(k + 1/2) − h(k)}. Immutable.
 */
public final class ZipfSampler {
    private final double s;
    private final long n;
    private final double lowest;
    private final double highest;
    private final double surelyAccepted;

    /**
     * @param s more than 0
     * @param n 1 or more
     */
    public ZipfSampler(double s, long n) {
        if (!(s > 0) || Double.isInfinite(s) || n < 1) {
            throw new IllegalArgumentException("no Zipf distribution has s = " + s + " and n = " + n);
        }
        this.s = s;
        this.n = n;
        this.lowest = integral(1.5) - 1;
        this.highest = integral(n + 0.5);
        // Up to this distance above x, k is accepted without evaluating H.
        this.surelyAccepted = 2 - inverse(integral(2.5) - density(2));
    }

    /** A random rank from 1 to n; 1 is the most frequent. */
    public long next(SplittableRandom random) {
        while (true) {
            double u = highest + random.nextDouble() * (lowest - highest);
            double x = inverse(u);
            long k = Math.max(1, Math.min(n, Math.round(x)));
            if (k - x <= surelyAccepted || u >= integral(k + 0.5) - density(k)) {
                return k;
            }
        }
    }

    /** The sum of {@code k^-s} over these ranks, within 0.1 %. */
    double weight(long from, long to) {
        double sum = 0;
        long k = from;
        for (; k <= to && k < from + 16; k++) {
            sum += density(k);
        }
        return k > to ? sum : sum + integral(to + 0.5) - integral(k - 0.5);
    }

    private double density(double x) {
        return Math.exp(-s * Math.log(x));
    }

    /** {@code (x^(1−s) − 1) / (1−s)}, and {@code ln x} at s = 1. */
    private double integral(double x) {
        double logarithm = Math.log(x);
        return logarithm * expm1Ratio((1 - s) * logarithm);
    }

    /** {@code (1 + u·(1−s))^(1/(1−s))}, and {@code e^u} at s = 1. */
    private double inverse(double u) {
        double t = Math.max(u * (1 - s), -1);
        return Math.exp(u * log1pRatio(t));
    }

    /** {@code (e^t − 1) / t}, continued through 0. */
    private static double expm1Ratio(double t) {
        return Math.abs(t) > 1e-8 ? Math.expm1(t) / t : 1 + t / 2;
    }

    /** {@code ln(1 + t) / t}, continued through 0. */
    private static double log1pRatio(double t) {
        return Math.abs(t) > 1e-8 ? Math.log1p(t) / t : 1 - t / 2;
    }
}
