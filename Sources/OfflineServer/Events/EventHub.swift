// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsUserNotifications

/// Tells every open page what happens in the library, from the messages that the library posts.
///
/// A message is encoded once, on the poster's thread, and offered to each client; offering never
/// waits for a client.
final class EventHub: Sendable {
    private struct Client {
        let stream: EventStream
        /// Whether a person looks at this page now.
        var isInFront = false
    }

    private struct State {
        var clients: [Int: Client] = [:]
        var lastClient = 0
        var keepAlive: Task<Void, Never>?
    }

    /// Between two comments on a silent line; a client that has gone is found by then.
    static let keepAliveInterval = Duration.seconds(15)

    private let library: Library
    private let clock: any Clock<Duration>
    private let state = Lock(State())

    init(library: Library, clock: any Clock<Duration>) {
        self.library = library
        self.clock = clock
    }

    /// Begins to follow the library and to keep lines alive.
    func start() {
        let messages = library.messages
        messages.observe(DownloadQueued.self, owner: self) { $0.tell($1.item) }
        messages.observe(ItemChanged.self, owner: self) { $0.tell($1.item) }
        messages.observe(DownloadProgressed.self, owner: self) { $0.tell($1) }
        messages.observe(ItemRemoved.self, owner: self) { hub, message in
            hub.broadcast(.removed(String(message.id.rawValue)), "removed") {
                RemovedJSON(id: message.id)
            }
        }
        messages.observe(DeliveredNotificationsChanged.self, owner: self) { hub, message in
            hub.broadcast(.notifications, "notification") {
                UnreadJSON(unread: message.unreadCount)
            }
        }
        messages.observe(ReportsChanged.self, owner: self) { hub, _ in
            hub.broadcast(.reports, "report") { [String: Int]() }
        }
        messages.observe(AuthorizationChanged.self, owner: self) { hub, message in
            hub.broadcast(.preferences, "preferences") {
                PreferencesJSON(notifications: NotificationPreference(message.status))
            }
        }
        library.queueState.observe(owner: self) { hub, state in
            hub.broadcast(.queue, "queue") { state.data ?? QueueState() }
        }
        library.connectivity.state.observe(owner: self) { hub, state in
            hub.broadcast(.connectivity, "connectivity") { ConnectivityJSON(state) }
        }
        library.catalogue.publisher.observe(owner: self) { hub, _ in
            hub.broadcast(.catalogue, "catalogue") { CatalogueStateJSON(hub.library.catalogue) }
        }
        let clock = clock
        let task = Task { [weak self] in
            while (try? await clock.sleep(for: Self.keepAliveInterval)) != nil {
                guard let self else { return }
                self.offer(.keepAlive)
            }
        }
        state.withLock { $0.keepAlive = task }
    }

    /// Stops keeping lines alive; the server ends the streams.
    func stop() {
        state.withLock { state -> Task<Void, Never>? in
            defer { state.keepAlive = nil }
            return state.keepAlive
        }?.cancel()
    }

    /// Makes the stream of a new client: everything as it is now, then each change.
    func connect() -> EventStream {
        let stream = EventStream()
        // Known first, then the snapshot: a change in between comes after it, never not at all.
        let client = state.withLock { state in
            state.lastClient += 1
            state.clients[state.lastClient] = Client(stream: stream)
            return state.lastClient
        }
        let hello = ServerEvent(
            .hello,
            name: "hello",
            json: JSONCoding.encode(HelloJSON(version: 1, client: client))
        )
        let items = ServerEvent(
            .items,
            name: "items",
            json: JSONCoding.encode(ItemListJSON(items: library.representations))
        )
        let connectivity = ServerEvent(
            .connectivity,
            name: "connectivity",
            json: JSONCoding.encode(ConnectivityJSON(library.connectivity.state.state))
        )
        let catalogue = ServerEvent(
            .catalogue,
            name: "catalogue",
            json: JSONCoding.encode(CatalogueStateJSON(library.catalogue))
        )
        let queue = ServerEvent(
            .queue,
            name: "queue",
            json: JSONCoding.encode(library.queueState.lastData ?? QueueState())
        )
        stream.begin(with: [hello, items, queue, connectivity, catalogue])
        return stream
    }

    /// The number of clients that were told something at the last event.
    var clientCount: Int { state.withLock(\.clients.count) }

    /// Whether a person looks at one of the pages now, as far as the pages have told.
    var isInFront: Bool {
        state.withLock { state in
            state.clients.values.contains { $0.isInFront && !$0.stream.isEnded }
        }
    }

    /// Notes whether a person looks at a page; false if that page has gone.
    func setInFront(_ isInFront: Bool, client: Int) -> Bool {
        state.withLock { state in
            guard state.clients[client]?.stream.isEnded == false else { return false }
            state.clients[client]?.isInFront = isInFront
            return true
        }
    }

    private func tell(_ item: MediaItem) {
        let id = item.id
        broadcast(.item(String(id.rawValue)), "item") {
            ItemRepresentation(item, progress: library.board.progress(of: id))
        }
    }

    private func tell(_ message: DownloadProgressed) {
        broadcast(.progress(String(message.id.rawValue)), "progress") {
            ProgressJSON(message.id, message.progress)
        }
    }

    private func broadcast(
        _ slot: ServerEvent.Slot,
        _ name: String,
        _ value: () -> some Encodable
    ) {
        // Nobody there, nothing encoded: downloads go on with no page open.
        guard clientCount > 0 else { return }
        offer(ServerEvent(slot, name: name, json: JSONCoding.encode(value())))
    }

    private func offer(_ event: ServerEvent) {
        let streams = state.withLock { state in
            state.clients = state.clients.filter { !$0.value.stream.isEnded }
            return state.clients.values.map(\.stream)
        }
        for stream in streams { stream.offer(event) }
    }
}

extension Library {
    /// All items as the API shows them, the newest first, with the progress of those on their way.
    var representations: [ItemRepresentation] {
        let progress = board.all
        return (journal.items.lastData ?? []).map {
            ItemRepresentation($0, progress: progress[$0.id])
        }
    }
}
