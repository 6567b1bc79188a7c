// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
package import OfflineModel
import OfflineSources
package import Tidings
import TidingsResources

/// The catalog of a library, loaded from the chosen address and stored for times without a network.
///
/// The source publishes the state and then posts `CatalogLoaded` or `CatalogFailed`. After a
/// failure, the previous catalog remains the publisher's `lastData`. The source loads the catalog
/// at the start, on demand, and when the network returns while the catalog is stale.
///
/// ```swift
/// try library.catalog.setAddress(CatalogAddress(address))
/// library.catalog.publisher.observe(owner: self) { screen, state in screen.show(state) }
/// ```
package final class CatalogSource: Sendable {
    /// The age at which the catalog counts as stale.
    static let staleAfter = Duration.seconds(3_600)

    private let loader: CatalogLoader
    private let resource: Resource<Catalog>
    private let messages: MessageCenter

    init(_ library: OpenLibrary, _ clients: HTTPClients) {
        let (configuration, messages) = (library.configuration, library.messages)
        let loader = CatalogLoader(library, clients)
        self.loader = loader
        self.messages = messages
        resource = Resource(
            options: ResourceOptions(
                staleAfter: Self.staleAfter,
                retry: .catalog(configuration.retries)
            ),
            store: CatalogStore(configuration.directory.catalog, loader),
            clock: configuration.clock,
            storeFailed: { messages.post(CatalogStoreFailed(error: $0)) },
            loader: { try await loader.load() }
        )
        resource.publisher.observe(owner: self) { source, state in source.post(state) }
    }

    /// The publisher of the catalog's state.
    ///
    /// Callers must not write to the publisher.
    package var publisher: StatePublisher<Catalog> { resource.publisher }

    /// The address of the catalog, or nil if no catalog is chosen.
    package var address: CatalogAddress? { loader.address }

    /// Sets the address of the catalog and starts to load the catalog, or chooses no catalog with
    /// nil.
    ///
    /// A different address discards the previous catalog and the stored copy. The same address only
    /// loads the catalog again.
    ///
    /// - Throws: `LibraryError.database` if the registry cannot be written. Nothing changes in this
    ///   case.
    package func setAddress(_ address: CatalogAddress?) throws(LibraryError) {
        let hasChanged = try LibraryError.rethrowing { try loader.setAddress(address) }
        if hasChanged { resource.reset() }
        if address != nil { load() }
    }

    /// Starts to load the catalog, unless a load is in progress.
    ///
    /// - Throws: `CatalogError.noAddress` if no catalog is chosen.
    package func refresh() throws(CatalogError) {
        guard loader.address != nil else { throw .noAddress }
        load()
    }

    /// Returns the lesson with an identifier, from the catalog or the stored copy.
    ///
    /// - Throws: `CatalogError.noSuchLesson` or `.noAddress`.
    package func lesson(_ id: String) throws(CatalogError) -> Lesson {
        guard loader.address != nil else { throw .noAddress }
        guard let lesson = resource.publisher.lastData?.lesson(id) else {
            throw CatalogError(
                .noSuchLesson,
                "The catalog has no lesson “\(id.prefix(40))”. Load the list again."
            )
        }
        return lesson
    }

    /// Permits loads, and loads the catalog if one is chosen.
    func start() {
        guard loader.start() else { return }
        // The first message about the network arrives while a library starts. A load for that
        // message would accept a fresh copy instead of asking the server.
        if loader.address != nil { load() }
        let online = messages.messages(of: ConnectivityChanged.self).where { [loader] message in
            message == .online && loader.address != nil
        }
        resource.refresh(on: online)
    }

    /// Prevents further loads and waits until the stored copy is on disk.
    func stop() async {
        loader.stop()
        await resource.flush()
    }

    /// Starts a load, even of fresh data, unless a load is in progress.
    private func load() {
        if publisher.state.phase != .loading { resource.invalidate() }
        resource.refreshIfNeeded()
    }

    private func post(_ state: LoadState<Catalog>) {
        switch state {
        case .unknown, .loading: break
        case .loaded(let catalog):
            messages.post(CatalogLoaded(lessonCount: catalog.lessonCount))
        case .error(let error):
            let failure = ItemFailure(catalog: error)
            messages.post(CatalogFailed(code: failure.code, message: failure.message))
        }
    }
}

extension ItemFailure {
    /// Creates the failure for an error of loading a catalog, with a message for the user.
    package init(catalog error: any Error) {
        switch error {
        case let error as CatalogError:
            self.init(code: error.code.description, message: error.message)
        default:
            let error = DownloadError(error)
            self.init(code: error.code.description, message: error.message)
        }
    }
}

extension RetryPolicy {
    /// Returns the retry policy of downloads with fewer attempts and shorter delays, because a user
    /// waits for the catalog.
    fileprivate static func catalog(_ policy: DownloadRetryPolicy) -> Self {
        let longest = min(policy.longestDelay, .seconds(10))
        return .backoff(
            attempts: min(policy.maximumTries, 3),
            from: min(policy.firstDelay, longest),
            to: longest
        ) { error in
            guard let error = error as? DownloadError, error.isTransient else { return .stop }
            let delay = error.retryAfter ?? .zero
            return delay <= .seconds(30) ? .retry(after: delay) : .stop
        }
    }
}
