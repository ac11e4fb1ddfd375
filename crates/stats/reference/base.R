# Writes base.tsv: results of R and of the packages that come with it. Each line has a name and its numbers.
#
#     Rscript base.R > base.tsv        # R 4.2.2, boot 1.3-28.1

A <- c(101.2, 99.8, 100.4, 103.9, 100.1, 99.5, 100.9, 118.3, 100.2, 101.7, 99.9, 100.6, 102.4, 100.0, 99.7, 101.1, 100.8,
       107.5, 100.3, 99.6)
B <- c(103.1, 101.9, 102.6, 105.2, 102.0, 101.4, 103.3, 111.8, 102.1, 130.6, 101.8, 102.7, 104.0, 102.2, 101.5, 103.0,
       102.9, 104.4, 102.3, 101.6)
SAMPLES <- list(a = A, b = B, small = c(2.5, 0.1, 7.25, 3, 3, 4.75, 11.5), skewed = round(exp(sin(7 * 1:33)), 6))
TIES <- c(5.1, 4.9, 5.3, 5.0, 5.2, 4.8, 5.6, 5.3)

put <- function(name, ...) {
    cat(name, sprintf("%.17g", c(...)), sep = "\t")
    cat("\n")
}
walsh <- function(x) {
    means <- outer(x, x, "+") / 2
    means[upper.tri(means, diag = TRUE)]
}

for (name in names(SAMPLES)) {
    x <- SAMPLES[[name]]
    n <- length(x)
    put(paste0("sample_", name), x)
    put(paste0("locations_", name), mean(x), median(x), mean(x, trim = 0.2), mean(x, trim = 0.1), exp(mean(log(x))),
        median(walsh(x)))
    put(paste0("scales_", name), sd(x), var(x), mad(x, constant = 1), IQR(x), median(dist(x)))
    put(paste0("quantiles_", name), quantile(x, c(0, 0.05, 0.25, 0.4, 0.75, 0.95, 1), type = 7))
    q <- quantile(x, c(0.25, 0.75), type = 7)
    iqr <- q[2] - q[1]
    put(paste0("fences_", name), sum(x < q[1] - 3 * iqr), sum(x >= q[1] - 3 * iqr & x < q[1] - 1.5 * iqr),
        sum(x > q[2] + 1.5 * iqr & x <= q[2] + 3 * iqr), sum(x > q[2] + 3 * iqr))
    box <- Box.test(x, 3, type = "Ljung-Box")
    put(paste0("ljung_box_", name), box$statistic, box$p.value)
    e <- x - mean(x)
    put(paste0("durbin_watson_", name), sum(diff(e)^2) / sum(e^2))
    found <- t.test(x, mu = 3, conf.level = 0.9)
    put(paste0("t_", name), found$p.value, found$conf.int)
    smooth <- density(x, bw = "nrd0")$bw
    put(paste0("density_", name), smooth, sapply(c(0.3, 0.5, 0.8), function(p) {
        at <- as.numeric(quantile(x, p))
        c(at, mean(dnorm(at, x, smooth)))
    }))
}

# Methods for which R has no function, implemented independently from the definitions.
for (name in names(SAMPLES)) {
    x <- SAMPLES[[name]]
    n <- length(x)
    hd <- sapply(c(0.1, 0.25, 0.5, 0.9), function(p) sum(diff(pbeta(0:n / n, (n + 1) * p, (n + 1) * (1 - p))) * sort(x)))
    put(paste0("harrell_davis_", name), hd)
    # Haskell's criterion, Criterion.Analysis: outlierVariance, for a mean per iteration.
    outlier <- function(mu, sigma, n) {
        g <- mu / n / 2
        v <- min(g / 4, sigma / sqrt(n))^2
        most <- function(x) {
            d <- (mu / n - x)^2
            roots <- Re(polyroot(c(-n * n * d, sigma^2 - n * v + n * d, v)))
            floor(max(roots))
        }
        min(sapply(c(1, min(most(0), most(g))), function(c) (n - c) / n * (sigma^2 - (n - c) * v))) / sigma^2
    }
    put(paste0("outlier_variance_", name), outlier(mean(x), sd(x), n))
    # The ends of the interval, where the evidence of the t-mixture is 20.
    s <- sqrt(mean((x - mean(x))^2))
    evidence <- function(m) {
        -0.5 * log(n + 1) - n / 2 * log(1 - sum(x - m)^2 / ((n + 1) * sum((x - m)^2))) - log(20)
    }
    put(paste0("anytime_", name), uniroot(evidence, mean(x) - c(40, 0) * s, tol = 1e-14)$root,
        uniroot(evidence, mean(x) + c(0, 40) * s, tol = 1e-14)$root)
}

# Distributions of rank statistics, and others.
for (case in list(c(10, 8), c(80, 17), c(200, 40), c(2500, 100))) put("signed_rank_cdf", case, psignrank(case[1], case[2]))
for (case in list(c(0.5, 3), c(18.3, 10), c(60, 30.5))) put("chi_squared", case, pchisq(case[1], case[2], lower.tail = FALSE))
for (z in c(-37, -6, -1, 0.2, 3)) put("normal", z, pnorm(z), dnorm(z), qnorm(pnorm(z)))
for (case in list(c(-3.5, 2.5), c(0.7, 40), c(25, 1))) put("student", case, pt(case[1], case[2]), qt(pt(case[1], case[2]), case[2]))
for (case in list(c(0.2, 3, 1.5), c(0.97, 60, 4))) put("beta", case, pbeta(case[1], case[2], case[3]))
for (case in list(c(1.5, 0.4), c(40, 55))) put("gamma", case, pgamma(case[2], case[1], lower.tail = FALSE))

# Tests and intervals for one and two samples.
logs <- log(B / A)
found <- wilcox.test(logs, exact = TRUE, conf.int = TRUE)
put("wilcoxon", found$p.value, found$conf.int, found$estimate)
for (side in c("less", "greater")) put(paste0("wilcoxon_", side), wilcox.test(logs, exact = TRUE, alternative = side)$p.value)
x <- round(10 + sin(3 * 1:9), 5)
y <- round(10.5 + sin(5 * 1:12), 5)
put("sample_x", x)
put("sample_y", y)
put("shift", wilcox.test(x, y, exact = TRUE, conf.int = TRUE)$estimate)
for (pair in list(list("welch", x, y, FALSE), list("pooled", x, y, TRUE), list("welch_ties", B, TIES, FALSE))) {
    found <- t.test(pair[[2]], pair[[3]], var.equal = pair[[4]])
    put(pair[[1]], found$statistic, found$parameter, found$p.value, found$conf.int)
}
p <- c(0.0004, 0.011, 0.021, 0.03, 0.04, 0.2, 0.6, 0.8)
put("p", p)
for (method in c("holm", "BH")) put(method, p.adjust(p, method))

# Straight lines and trends.
fit <- lm(B ~ A)
put("least_squares", rev(coef(fit)), summary(fit)$r.squared)
slopes <- outer(B, B, "-") / outer(A, A, "-")
put("theil_sen", median(slopes[upper.tri(slopes)]))
kendall <- cor.test(1:9, x, method = "kendall", exact = FALSE, continuity = TRUE)
put("mann_kendall", kendall$estimate, kendall$statistic, kendall$p.value)

# Variance components by analysis of variance.
two <- data.frame(group = rep(1:4, c(3, 5, 4, 6)), value = round(20 + rep(c(0, 1, -1.5, 0.5), c(3, 5, 4, 6)) + sin(9 * 1:18), 4))
put("groups", two$value)
squares <- anova(lm(value ~ factor(group), two))[["Mean Sq"]]
put("groups_components", squares[2], (squares[1] - squares[2]) / ((18 - sum(c(3, 5, 4, 6)^2) / 18) / 3))

# The bootstrap: ends of the percentile interval from 200,000 resamples.
set.seed(1)
resampled <- boot::boot(A, function(x, i) mean(x[i]), 200000)
put("bootstrap", boot::boot.ci(resampled, type = "perc")$percent[4:5])
