// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Tidings
import TidingsSQLite

/// The catalogue of a library: loaded from the address that the person gave, and kept for the time
/// when it cannot be loaded.
///
/// Its state is published; `CatalogLoaded` and `CatalogFailed` are posted after it. After a failure
/// the copy from before is still the publisher's `lastData`. It is loaded at the start, on demand,
/// and when the network is back and what is known is stale.
///
/// ```swift
/// try library.catalogue.setAddress(CatalogueAddress(address))
/// library.catalogue.publisher.observe(owner: self) { screen, state in screen.show(state) }
/// ```
package final class CatalogueSource: Sendable {
    /// The age at which a catalogue is loaded again when somebody looks at it.
    static let staleAfter = Duration.seconds(3_600)

    private let place: CataloguePlace
    private let resource: Resource<Catalogue>
    private let messages: MessageCenter

    init(
        _ registry: Registry,
        _ configuration: LibraryConfiguration
    ) throws(SQLiteError) {
        let place = try CataloguePlace(
            registry,
            allowsPrivateAddresses: configuration.allowsPrivateAddresses
        )
        let messages = configuration.messages
        self.place = place
        self.messages = messages
        resource = Resource(
            options: ResourceOptions(
                staleAfter: Self.staleAfter,
                retry: .catalogue(configuration.retries)
            ),
            store: CatalogueStore(configuration.directory.catalogue, place),
            clock: configuration.clock,
            storeFailed: { messages.post(CatalogueStoreFailed(error: $0)) },
            loader: { try await place.load() }
        )
        resource.publisher.observe(owner: self) { source, state in source.tell(state) }
    }

    /// Tells the state of the catalogue; write nothing to it.
    package var publisher: StatePublisher<Catalogue> { resource.publisher }

    /// Where the catalogue is; nil if the library has none.
    package var address: CatalogueAddress? { place.address }

    /// Chooses another catalogue and begins to load it, or none.
    ///
    /// What was known of the one before is forgotten, its stored copy too. The same address is only
    /// loaded again.
    ///
    /// - Throws: `LibraryError.database` when the registry refused; nothing changed then.
    package func setAddress(_ address: CatalogueAddress?) throws(LibraryError) {
        let isOther: Bool
        do {
            isOther = try place.setAddress(address)
        } catch {
            throw LibraryError(error)
        }
        if isOther { resource.reset() }
        if address != nil { resource.getData() }
    }

    /// Begins to load the catalogue, unless that is under way.
    ///
    /// - Throws: `CatalogueError.noAddress` if there is none.
    package func refresh() throws(CatalogueError) {
        guard place.address != nil else { throw .noAddress }
        resource.getData()
    }

    /// The lesson of that identifier, in the catalogue or its stored copy.
    ///
    /// - Throws: `CatalogueError.noSuchLesson`, or `.noAddress`.
    package func lesson(_ id: String) throws(CatalogueError) -> Lesson {
        guard place.address != nil else { throw .noAddress }
        guard let lesson = resource.lastData?.lesson(id) else {
            throw CatalogueError(
                .noSuchLesson,
                "The catalogue has no lesson “\(id.prefix(40))”. Load the list again."
            )
        }
        return lesson
    }

    /// Allows the use of the network, and loads the catalogue if there is one.
    func start(_ clients: HTTPClients) {
        place.use(clients)
        resource.refresh(on: ConnectivityChanged.self, of: messages) { [place] message in
            message == .online && place.address != nil
        }
        if place.address != nil { resource.getData() }
    }

    /// Returns when the stored copy is on the disk, and uses the network no more.
    func stop() async {
        place.use(nil)
        await resource.flush()
    }

    private func tell(_ state: LoadState<Catalogue>) {
        switch state {
        case .unknown, .loading: break
        case .loaded(let catalogue):
            messages.post(CatalogLoaded(lessonCount: catalogue.lessonCount))
        case .error(let error):
            let failure = ItemFailure(catalogue: error)
            messages.post(CatalogFailed(code: failure.code, message: failure.message))
        }
    }
}

extension ItemFailure {
    /// What the loading of a catalogue threw, in words for a person.
    package init(catalogue error: any Error) {
        switch error {
        case let error as CatalogueError:
            self.init(code: error.code.description, message: error.message)
        default:
            let error = DownloadError(error)
            self.init(code: error.code.description, message: error.message)
        }
    }
}

extension Tidings.RetryPolicy {
    /// As downloads are tried again, but a person looks on: less often, and soon.
    fileprivate static func catalogue(_ policy: OfflineLibrary.RetryPolicy) -> Self {
        let longest = min(policy.longestDelay, .seconds(10))
        return .backoff(
            attempts: min(policy.maximumTries, 3),
            from: min(policy.firstDelay, longest),
            to: longest
        ) { error in
            guard let error = error as? DownloadError, error.isTransient else { return .stop }
            let pause = error.retryAfter ?? .zero
            return pause <= .seconds(30) ? .retry(after: pause) : .stop
        }
    }
}
