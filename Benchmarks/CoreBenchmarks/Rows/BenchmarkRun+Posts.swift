// SPDX-License-Identifier: Apache-2.0
import Benchmarking

extension BenchmarkRun {
    mutating func posts() {
        for count in [0, 1, 10, 100] {
            compare("post to \(count) / floor", count <= 1 ? .atMost(1.5) : nil) {
                (Posting(count).subject, Floor(count).subject)
            }
            guard count >= 10 else { continue }
            compare("post to \(count) / loop", count == 100 ? .atMost(1.0) : nil) {
                (Posting(count).subject, Loop(count).subject)
            }
        }
    }

    mutating func accompaniedPosts() {
        let floor = Floor(1).subject
        compare("post to 1 beside one of all messages / floor", .atMost(6)) {
            let name = "post to 1 beside one of all messages"
            return (AccompaniedPosting(name).observed().observedByAll().posting, floor)
        }
        compare("post to 1 with an unhandled hook / floor", .atMost(6)) {
            let name = "post to 1 with an unhandled hook"
            return (AccompaniedPosting(name).observed().hooked().posting, floor)
        }
        compare("post to 1 beside one of a subject / floor", .atMost(6)) {
            let name = "post to 1 beside one of a subject"
            return (AccompaniedPosting(name).observed().observedBySubject().posting, floor)
        }
        compare("post about a subject to 1 / floor", .atMost(6)) {
            let name = "post about a subject to 1"
            return (AccompaniedPosting(name).observedBySubject().postingAbout, floor)
        }
        compare("post to 1 of a selection / post to 1", .atMost(1.1)) {
            let name = "post to 1 of a selection"
            return (
                AccompaniedPosting(name).observedBySelection().posting, Posting(1).subject
            )
        }
    }

    mutating func namedPosts() {
        compare("named post to 1 / floor", .atMost(6)) {
            (NamedPosting().observedByName().postsByName("named post to 1"), Floor(1).subject)
        }
        compare("named post to 1 of its type / floor") {
            (
                NamedPosting().observedByType().postsByName("named post to 1 of its type"),
                Floor(1).subject
            )
        }
        compare("post to 1 of its name / floor") {
            (
                NamedPosting().observedByName().postsByType("post to 1 of its name"),
                Floor(1).subject
            )
        }
        compare("post to 1 that observes all / floor") {
            (
                NamedPosting().observedByAll().postsByType("post to 1 that observes all"),
                Floor(1).subject
            )
        }
    }

    @MainActor mutating func postsAgainstFoundation() {
        compare("post to 1, times faster than Foundation typed", .atLeast(20)) {
            (FoundationTyped().subject, Posting(1).subject)
        }
        compare("post to 1, times faster than Foundation by name", .atLeast(30)) {
            (FoundationByName().subject, Posting(1).subject)
        }
    }

    mutating func postsOnTwoThreads() {
        measure("posts of two threads / posts of one", unit: "x", .atLeast(1.8)) {
            ThreadedPosting().speedup()
        }
    }

    mutating func watchedPosts() {
        compare("post to 1 with postings watched / floor", .atMost(25)) {
            (WatchedPosting().postings, Floor(1).subject)
        }
        compare("post to 1 with deliveries watched / floor") {
            (WatchedPosting().deliveries, Floor(1).subject)
        }
    }

    mutating func postsAmongManyTypes() {
        compare("post among 10,000 other types / post alone", .atMost(1.1)) {
            (Posting(1, beside: ManyTypes()).subject(named: "post among types"), Posting(1).subject)
        }
        compare("posts of 100 types in turn / of one") {
            (ManyTypes(0...99).postingInTurn(), ManyTypes(0...0).postingInTurn())
        }
        compare("post of a generic type among 10,000 / alone", .atMost(1.1)) {
            (
                ManyTypes().posting(named: "generic post among types"),
                ManyTypes(3_141...3_141).posting(named: "generic post alone")
            )
        }
    }
}
