// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFoundation

/// The lessons that there are: loaded from a server, and from a file when that fails.
///
/// A `Resource` does the work. This says what it loads, where the copy is, when to load again, and
/// announces how a load ended to those who do not care what the lessons are.
@MainActor
final class Catalogue {
    private let center: MessageCenter
    private let resource: Resource<[LessonGroup]>

    init(center: MessageCenter, copy: URL, server: LessonServer) {
        self.center = center
        resource = Resource(store: JSONFileStore(at: copy)) { try await server.lessons() }
        resource.refresh(on: ConnectivityChanged.self, of: center) { $0.isOnline }
        resource.publisher.observe(owner: self, on: .main) { catalogue, state in
            catalogue.announce(state)
        }
    }

    /// What screens observe.
    var lessons: StatePublisher<[LessonGroup]> { resource.publisher }

    /// Begins to load the lessons if they are not there, or too old.
    func refreshIfNeeded() {
        resource.refreshIfNeeded()
    }

    /// Begins to load the lessons, whatever is there.
    func refresh() {
        resource.getData()
    }

    /// Returns when the copy is on the disk.
    func flush() async {
        await resource.flush()
    }

    private func announce(_ state: LoadState<[LessonGroup]>) {
        switch state {
        case .unknown, .loading: break
        case .loaded: center.post(CatalogLoaded())
        case .error(let error): center.post(CatalogFailed(message: "\(error)"))
        }
    }
}
