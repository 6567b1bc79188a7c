// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineDownloads
import OfflineLibrary
import OfflineMedia
import OfflineModel
import OfflineStore
import Tidings
import TidingsLock
import TidingsUserNotifications

/// Sends the library's messages to every open page as server-sent events.
///
/// The thread that posts a message encodes the message once and offers the event to each client's
/// stream. The thread never waits for a client.
final class EventHub: Sendable {
    private struct Client {
        let stream: EventStream
        /// Whether the page is visible and has the focus.
        var isInFront = false
    }

    private struct State {
        var clients: [Int: Client] = [:]
        var lastClient = 0
        var keepAlive: Task<Void, Never>?
        /// The counts of the last event.
        var counts: [ItemState: Int] = [:]
    }

    /// The interval of keep-alive comments, which also detect closed connections.
    static let keepAliveInterval = Duration.seconds(15)

    private let library: Library
    private let clock: any Clock<Duration>
    private let state = Lock(State())
    /// The name of the library, or nil if the registry could not store the name.
    private let identity: String?

    init(library: Library, clock: any Clock<Duration>) {
        self.library = library
        self.clock = clock
        identity = try? library.journal.preferences.identity()
    }

    /// Starts to observe the library and to send keep-alive comments.
    func start() {
        let messages = library.messages
        messages.observe(DownloadQueued.self, owner: self) { $0.broadcast($1.item) }
        messages.observe(ItemsImported.self, owner: self) { hub, _ in
            hub.broadcast(.items) { hub.library.newestItems }
        }
        messages.observe(ItemChanged.self, owner: self) { $0.broadcast($1.item) }
        messages.observe(DownloadProgressed.self, owner: self) { $0.broadcast($1) }
        messages.observe(PlaybackChanged.self, owner: self) { hub, message in
            hub.broadcast(.playback, about: message.id) {
                PlaybackJSON(id: message.id, playback: message.playback)
            }
        }
        messages.observe(ItemRemoved.self, owner: self) { hub, message in
            hub.broadcast(.removed, about: message.id) {
                RemovedJSON(id: message.id)
            }
        }
        messages.observe(UserNotificationListChanged.self, owner: self) { hub, message in
            hub.broadcast(.notification) {
                UnreadJSON(unread: message.unreadCount)
            }
        }
        messages.observe(ReportsChanged.self, owner: self) { hub, _ in
            hub.broadcast(.report) { [String: Int]() }
        }
        messages.observe(FeedsChanged.self, owner: self) { hub, _ in
            hub.broadcast(.feeds) { [String: Int]() }
        }
        messages.observe(CollectionsChanged.self, owner: self) { hub, _ in
            hub.broadcast(.collections) { [String: Int]() }
        }
        messages.observe(DevicesChanged.self, owner: self) { hub, _ in
            hub.broadcast(.devices) { [String: Int]() }
        }
        messages.observe(MachinesChanged.self, owner: self) { hub, _ in
            hub.broadcast(.machines) { [String: Int]() }
        }
        messages.observe(UserNotificationAuthorizationChanged.self, owner: self) { hub, message in
            hub.broadcast(.preferences) {
                PreferencesJSON(notifications: NotificationPreference(message.status))
            }
        }
        library.journal.counts.observe(owner: self) { hub, state in
            guard let counts = state.value, hub.areNew(counts) else { return }
            hub.broadcast(.counts) { counts.names }
        }
        library.queueState.observe(owner: self) { hub, state in
            hub.broadcast(.queue) { state.value ?? QueueState() }
        }
        library.connectivity.state.observe(owner: self) { hub, state in
            hub.broadcast(.connectivity) { ConnectivityJSON(state) }
        }
        library.catalog.publisher.observe(owner: self) { hub, _ in
            hub.broadcast(.catalog) { CatalogStateJSON(hub.library.catalog) }
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

    /// Stops the keep-alive comments.
    ///
    /// The server ends the streams.
    func stop() {
        state.withLock { state -> Task<Void, Never>? in
            defer { state.keepAlive = nil }
            return state.keepAlive
        }?.cancel()
    }

    /// Registers a new client.
    ///
    /// - Parameter preference: Returns the user's permission for notifications, or nil if the
    ///   permission is not known.
    /// - Returns: The client's stream, with the present state, then an event for each change.
    func connect(preference: () async -> NotificationPreference?) async -> EventStream {
        let stream = EventStream()
        // The registration precedes the snapshot, so that the stream misses no change between the
        // two.
        let client = state.withLock { state in
            state.lastClient += 1
            state.clients[state.lastClient] = Client(stream: stream)
            return state.lastClient
        }
        let preferences = await preference().map {
            event(.preferences, PreferencesJSON(notifications: $0))
        }
        let snapshot = [
            event(
                .hello,
                HelloJSON(
                    version: 1,
                    client: client,
                    library: identity,
                    damage: library.open.damage?.message
                )
            ),
            preferences,
            event(.items, library.newestItems),
            event(.queue, library.queueState.lastData ?? QueueState()),
            event(.connectivity, ConnectivityJSON(library.connectivity.state.state)),
            event(.catalog, CatalogStateJSON(library.catalog)),
        ]
        stream.begin(with: snapshot.compactMap(\.self))
        return stream
    }

    /// The number of registered clients.
    ///
    /// The next event removes closed clients.
    var clientCount: Int { state.withLock(\.clients.count) }

    /// Whether at least one page has reported that it is in front.
    var isInFront: Bool {
        state.withLock { state in
            state.clients.values.contains { $0.isInFront && !$0.stream.isEnded }
        }
    }

    /// Stores whether a page is in front.
    ///
    /// Returns false if the page's stream has ended.
    func setInFront(_ isInFront: Bool, client: Int) -> Bool {
        state.withLock { state in
            guard state.clients[client]?.stream.isEnded == false else { return false }
            state.clients[client]?.isInFront = isInFront
            return true
        }
    }

    /// Whether the counts differ from the last event.
    ///
    /// Few changes of items alter the counts.
    private func areNew(_ counts: ItemCounts) -> Bool {
        state.withLock { state in
            guard state.counts != counts.states else { return false }
            state.counts = counts.states
            return true
        }
    }

    private func broadcast(_ item: MediaItem) {
        broadcast(.item, about: item.id) {
            ItemRepresentation(item, progress: library.progress.progress(of: item.id))
        }
    }

    private func broadcast(_ message: DownloadProgressed) {
        broadcast(.progress, about: message.id) {
            ProgressJSON(message.id, message.progress)
        }
    }

    private func broadcast(
        _ kind: EventKind,
        about item: ItemID? = nil,
        _ value: () -> some Encodable
    ) {
        // Without an open page, the hub encodes nothing.
        guard clientCount > 0 else { return }
        offer(event(kind, about: item, value()))
    }

    private func event(
        _ kind: EventKind,
        about item: ItemID? = nil,
        _ value: some Encodable
    ) -> ServerEvent {
        ServerEvent(kind, number: item?.rawValue ?? 0, json: JSONCoding.encode(value))
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
    /// The newest items of each state with the progress of running downloads, and the counts of all
    /// items.
    ///
    /// A page loads older items when it shows them, because a library can have any number of items.
    var newestItems: ItemsJSON {
        let allProgress = progress.all
        // If the registry cannot be read, the error has already been shown.
        let items = ItemState.allCases.flatMap { state in
            (try? journal.items.page(ItemQuery(states: [state])).items) ?? []
        }
        return ItemsJSON(
            items: items.sorted { $0.id.rawValue > $1.id.rawValue }
                .map { ItemRepresentation($0, progress: allProgress[$0.id]) },
            counts: journal.counts.lastData?.names ?? [:]
        )
    }
}

extension ItemCounts {
    /// The number of items of each state, by the name of the state.
    fileprivate var names: [String: Int] {
        Dictionary(uniqueKeysWithValues: states.map { ($0.key.rawValue, $0.value) })
    }
}
