// SPDX-License-Identifier: Apache-2.0

/// What a publisher knows and who observes it.
///
/// Apart from the publisher, so that what its observers' tokens refer to has one type for all.
final class StateHome<Value: Sendable>: RegistrationHome, @unchecked Sendable {
    let store: Lock<StatePublisher<Value>.Store>

    init(staleAfter: Duration?) {
        store = Lock(StatePublisher<Value>.Store(staleAfter: staleAfter))
        super.init()
    }

    deinit {
        for observer in store.withLock({ $0.observers }) {
            _ = observer.registration.end()
            observer.registration.releaseClosures()
        }
    }

    override func remove(_ registration: Registration) {
        _ = store.withLock { $0.remove { $0.registration === registration } }
        release(registration)
    }
}
