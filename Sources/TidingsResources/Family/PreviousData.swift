// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Data of one resource that observers of a second resource see until the second one has data.
final class PreviousData<Value: Sendable>: Sendable {
    private struct Content {
        let data: Value
        /// The resource is kept alive, so that an invalidation of the key finds the resource.
        let resource: Resource<Value>
    }

    private enum State {
        /// The data was not read yet.
        case new
        case shown(Content)
        /// The data must not be shown any more.
        case over
    }

    private let state = Lock(State.new)
    private weak let successor: Resource<Value>?

    /// Creates the data, or nil if the resource has no data or invalid data.
    init?(of resource: Resource<Value>, before successor: Resource<Value>) {
        self.successor = successor
        guard resource !== successor else { return nil }
        let publisher = resource.publisher
        // The registration precedes the read, so that a concurrent invalidation finds this object.
        publisher.whenOutdated(ObjectIdentifier(self)) { [weak self] in self?.withdraw() }
        let data = publisher.withMemory { $0.isInvalidated ? nil : $0.lastData }
        guard let data else {
            publisher.forgetWhenOutdated(ObjectIdentifier(self))
            return nil
        }
        let content = Content(data: data, resource: resource)
        state.withLock { if case .new = $0 { $0 = .shown(content) } }
    }

    deinit { drop() }

    /// Returns the state of the successor in the view of the successor's observers.
    func shown(in state: LoadState<Value>) -> LoadState<Value> {
        switch state {
        case .unknown: return state
        case .loading(nil):
            return data.map { .loading($0) } ?? state
        case .loading, .loaded, .error:
            drop()
            return state
        }
    }

    private var data: Value? {
        state.withLock { if case .shown(let content) = $0 { content.data } else { nil } }
    }

    /// Stops showing the data, and calls the observers that may have received the data.
    private func withdraw() {
        guard drop() else { return }
        successor?.publisher.change { memory in
            guard case .loading(nil) = memory.state else { return nil }
            return memory.apply(memory.state)
        }
    }

    /// Drops the data, or returns false if the data was dropped before.
    @discardableResult
    private func drop() -> Bool {
        // The data is released here, outside the lock.
        let state = state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .shown(let content) = state else { return false }
        content.resource.publisher.forgetWhenOutdated(ObjectIdentifier(self))
        return true
    }
}
