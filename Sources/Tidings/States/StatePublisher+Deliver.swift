// SPDX-License-Identifier: Apache-2.0

extension StatePublisher: RegistrationHome {
    func remove(_ record: ObservationRecord) {
        _ = store.withLock { $0.remove { $0.record === record } }
    }

    /// Adds an observer and tells it the current state.
    func start(_ observer: StateObserver<Value>) {
        sweep(store.withLock { $0.ownedObservers }.map(\.record).filter(\.isOrphan))
        guard let state = store.withLock({ $0.insert(observer) }) else { return }
        DeliveryThread.current.deliver(for: self) {
            // What waits is for others: run here, it would call an observer inside its own call.
            var turn = MainTurn(mainQueue, home: self, drainsFirst: false)
            observer.start(with: state, &turn)
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
        guard store.withLock({ $0.beginDelivery() }) else { return }
        while let round = store.withLock({ $0.popRound() }) { deliver(round) }
    }

    private func deliver(_ round: Store.Round) {
        var turn = MainTurn(mainQueue, home: self)
        var orphans: [ObservationRecord] = []
        for observer in round.observers where !observer.receive(round.state, &turn) {
            orphans.append(observer.record)
        }
        sweep(orphans)
    }

    private func sweep(_ orphans: [ObservationRecord]) {
        for orphan in orphans where orphan.end() { remove(orphan) }
    }
}
