// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Somebody who observes for a moment.
private final class Visitor: Sendable {
    let heard = Counter()
}

/// Step 2: the same while eight threads add, post and remove.
///
/// Instead of a lock or a queue around the dictionary. No lock is held while a closure runs, so one
/// may observe, remove and post, and what an observer added before a post is never missed by it.
struct SafeUnderThreads {
    private let center = MessageCenter()
    private let missed = Counter()
    private let late = Counter()
    private let removed = Counter()

    func run() {
        print("2. Safe under threads")
        onEightThreads { _ in
            for _ in 0..<500 { visit() }
        }
        print("posts that missed an observer:", missed.count)
        print("calls after cancel:", late.count)
        print("observations removed:", removed.count)
        print("observations left:", center.count(named: "Tick"))
    }

    private func visit() {
        let visitor = Visitor()
        center.observe(named: "Tick", owner: visitor) { visitor, _, _ in visitor.heard.add() }
        // Those of other threads may be heard as well; the own one must be.
        center.post(named: "Tick")
        if visitor.heard.count == 0 { missed.add() }
        removed.add((try? center.removeObservations(of: visitor)) ?? 0)

        // Of a post of this thread nothing arrives any more.
        let quiet = MessageCenter()
        let token = quiet.observe(named: "Tick", owner: visitor) { [late] _, _, _ in late.add() }
        token.cancel()
        quiet.post(named: "Tick")
    }
}
