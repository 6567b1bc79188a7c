// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsResources

/// A source that loads from a server.
///
/// A `Resource` does the work, with one load for all callers and no late response.
@MainActor
final class ServerSource<Value: Sendable>: StateSource {
    private let resource: Resource<Value>

    init(_ server: Server<Value>, staleAfter: Duration? = nil, clock: ManualClock) {
        let options = ResourceOptions(staleAfter: staleAfter)
        resource = Resource(options: options, clock: clock) { try await server.request() }
    }

    var publisher: StatePublisher<Value> { resource.publisher }

    func getData() {
        guard publisher.phase != .loading else { return }
        resource.invalidate()
        resource.refreshIfNeeded()
    }

    func refreshIfNeeded() {
        resource.refreshIfNeeded()
    }

    func logout() {
        resource.reset()
    }
}
