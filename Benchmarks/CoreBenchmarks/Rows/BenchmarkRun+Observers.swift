// SPDX-License-Identifier: Apache-2.0
import Benchmarking

extension BenchmarkRun {
    mutating func weakObservers() throws {
        compare("post to 100 owners / weak loads", .atMost(1.6)) {
            (OwnedObservers(100).posting, WeakLoads(100).subject)
        }
        try compare("notify 100 delegates / weak loads", .atMost(2.0)) {
            (try Notifying(100).subject, WeakLoads(100).subject)
        }
    }

    mutating func observing() {
        compare("observe + cancel with 1,000 / Foundation", .atMost(1.2)) {
            (ClosureObservers(1_000).observing, FoundationObservers(1_000).observing)
        }
        compare("observe + cancel with 1,000,000 / Foundation with 1,000", .atMost(2.4)) {
            (ClosureObservers(1_000_000).observing, FoundationObservers(1_000).observing)
        }
        compare("observe + cancel with three options / observe + cancel", .atMost(2)) {
            (ClosureObservers(1).observingWithOptions, ClosureObservers(1).observing)
        }
        compare("observe + cancel with 1,000 owners / Foundation") {
            (OwnedObservers(1_000).observing, FoundationObservers(1_000).observing)
        }
        compare("observe + post + cancel with 10,000 / array copy", .atMost(3.0)) {
            (ClosureObservers(10_000).observingAndPosting, ArrayCopy(10_000).subject)
        }
    }

    mutating func fanOut() {
        let readers = 10
        compare("message to each of \(readers) readers / AsyncStream", .atMost(0.5)) {
            (FanOut.center(readers).untilRead, FanOut.streams(readers).untilRead)
        }
        compare("post to each of \(readers) readers / yield", .atMost(0.5)) {
            (FanOut.center(readers).posting, FanOut.streams(readers).posting)
        }
        compare("work of all threads for \(readers) readers / AsyncStream") {
            (FanOut.center(readers).working, FanOut.streams(readers).working)
        }
    }

    mutating func families() {
        compare("new key among 100,000 / among 100", .atMost(2)) {
            (FamilyKeys(100_000).adding, FamilyKeys(100).adding)
        }
        compare("lookup among 100,000 keys / among 100", .atMost(2)) {
            (FamilyKeys(100_000).finding, FamilyKeys(100).finding)
        }
    }

    mutating func states() {
        for count in [1, 100] {
            compare("change for \(count) owners / post", .atMost(1.3)) {
                (Publishing(count).subject, OwnedObservers(count).posting)
            }
        }
        measure(
            "heap after 1,000,000 changes of two threads",
            unit: "bytes",
            .atMost(64 * 1_024)
        ) {
            LatestState(1_000_000).growth()
        }
    }
}
