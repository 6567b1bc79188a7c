// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// Adds an observer and tells it the current state.
    func start(_ observer: StateObserver<Value>, for subscriber: AnyObject? = nil) {
        sweep(home.store.withLock { $0.mortalObservers }.map(\.registration).filter(\.isOrphan))
        guard let state = home.store.withLock({ $0.insert(observer, for: subscriber) }) else {
            return
        }
        DeliveryThread.current.deliver(for: self) {
            // What waits is for others: run here, it would call an observer inside its own call.
            var turn = MainTurn(mainQueue, home: self, drainsFirst: false)
            DeliveryThread.current.reading(home) { observer.start(with: state, &turn) }
        }
    }

    /// Tells observers of every change that nobody has told them of yet.
    ///
    /// Inside an observer, on its thread, this waits until that observer's turn is over.
    func deliverRounds() {
        let thread = DeliveryThread.current
        if thread.isDelivering(for: self) {
            thread.enqueue(for: self) { [self] in runRounds() }
        } else {
            thread.deliver(for: self) { runRounds() }
        }
    }

    private func runRounds() {
        guard home.store.withLock({ $0.beginDelivery() }) else { return }
        while let round = home.store.withLock({ $0.popRound() }) { deliver(round) }
    }

    private func deliver(_ round: Store.Round) {
        var turn = MainTurn(mainQueue, home: self)
        var orphans: [Registration] = []
        DeliveryThread.current.reading(home) {
            for observer in round.observers where !observer.receive(round.state, &turn) {
                orphans.append(observer.registration)
            }
        }
        sweep(orphans)
    }

    private func sweep(_ orphans: [Registration]) {
        for orphan in orphans { orphan.cancel() }
    }
}
