// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFoundation
import TidingsResources

/// The available lessons, loaded from a server or, if the load fails, from a file.
///
/// A `Resource` does the work. This class configures the loader, the stored copy and the reloads.
/// The class also posts the result of each load, for observers that do not need the lessons.
@MainActor
final class Catalog {
    private let center: MessageCenter
    private let resource: Resource<[LessonGroup]>

    init(center: MessageCenter, copy: URL, server: LessonServer) {
        self.center = center
        resource = Resource(store: JSONFileStore(at: copy)) { try await server.lessons() }
        resource.refresh(on: center.messages(of: ConnectivityChanged.self).where { $0.isOnline })
        resource.publisher.observe(owner: self, on: .main) { catalog, state in
            catalog.announce(state)
        }
    }

    /// The state that screens observe.
    var lessons: StatePublisher<[LessonGroup]> { resource.publisher }

    /// Starts loading the lessons if they are missing or stale.
    func refreshIfNeeded() {
        resource.refreshIfNeeded()
    }

    /// Starts loading the lessons, even fresh lessons, unless a load is running.
    func refresh() {
        guard lessons.phase != .loading else { return }
        resource.invalidate()
        resource.refreshIfNeeded()
    }

    /// Waits until the copy is on disk.
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
