// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A short-lived observer.
private final class ShortLivedObserver: Sendable {
    let received = Counter()
}

/// Step 2: the same observers while eight threads add, post and remove.
///
/// This step replaces a lock or a queue around the dictionary. No lock is held while a closure
/// runs, so a closure can observe, remove and post. A post always reaches observers that were added
/// earlier.
struct SafeUnderThreads {
    private let center = MessageCenter()
    private let missed = Counter()
    private let late = Counter()
    private let removed = Counter()

    func run() {
        print("2. Safe under threads")
        onEightThreads { _ in
            for _ in 0..<500 { observeOnce() }
        }
        print("posts that missed an observer:", missed.count)
        print("calls after cancel:", late.count)
        print("observations removed:", removed.count)
        print("observations left:", center.post(named: "Tick"))
    }

    private func observeOnce() {
        let observer = ShortLivedObserver()
        center.messages(named: "Tick").observe(owner: observer) { observer, _ in
            observer.received.add()
        }
        // Posts of other threads may also arrive, but the post of this thread must arrive.
        center.post(named: "Tick")
        if observer.received.count == 0 { missed.add() }
        removed.add((try? center.removeObservations(of: observer)) ?? 0)

        // After `cancel()`, a post of this thread must not arrive.
        let quiet = MessageCenter()
        let token = quiet.messages(named: "Tick").observe(owner: observer) { [late] _, _ in
            late.add()
        }
        token.cancel()
        quiet.post(named: "Tick")
    }
}
