// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// All operations of the HTTP interface, by theme.
///
/// To add an operation, add a property to the type of the theme. Everything else follows from the
/// properties of these values.
package enum API {
    /// The items and the queue.
    package static let items = ItemOperations()
    /// The settings, the network, refresh, verification and import.
    package static let library = LibraryOperations()
    /// The lessons.
    package static let catalog = CatalogOperations()
    /// The followed feeds.
    package static let feeds = FeedOperations()
    /// The collections.
    package static let collections = CollectionOperations()
    /// The inbox and the permission for notifications.
    package static let notifications = NotificationOperations()
    /// The reports of errors and crashes.
    package static let reports = ReportOperations()
    /// The parts that only a running server has.
    package static let server = ServerOperations()

    /// The operations of all themes.
    static let all: [any AnyOperation] =
        ([items, library, catalog, feeds, collections, notifications, reports, server] as [Any])
        .flatMap { Mirror(reflecting: $0).children.compactMap { $0.value as? any AnyOperation } }

    /// Returns the operations on one kind of service.
    package static func operations<Service>(
        on service: Service.Type
    ) -> [ListedOperation<Service>] {
        all.compactMap { $0.listed as? ListedOperation<Service> }
    }

    /// The endpoints whose bodies are not values: files, which are too large for the memory, and
    /// streams of events.
    ///
    /// Only the server has their handlers.
    package static let streams = StreamEndpoints()

    /// The places of all operations and of all streams.
    package static var endpoints: [Endpoint] {
        all.map(\.endpoint)
            + Mirror(reflecting: streams).children.compactMap { $0.value as? Endpoint }
    }
}

/// The endpoints with files and events.
package struct StreamEndpoints: Sendable {
    /// Returns the library as lines of JSON.
    package let export = Endpoint(.get, "/api/export")
    /// Adds a file to the library, or subtitles to an item.
    package let upload = Endpoint(.post, "/api/uploads", errors: [404, 409, 411, 503, 507])
    /// Returns a picture that an inspection has named.
    package let inspectedPicture = Endpoint(.get, "/api/inspect/picture", errors: [404, 503])
    /// Returns the state of the library and all changes as events.
    package let events = Endpoint(.get, "/api/events", isEndless: true)
    /// Returns the posts between the parts of the server as events.
    package let activity = Endpoint(.get, "/api/activity/events", isEndless: true)
    /// Returns the finished file of an item, perhaps with another sound.
    package let media = Endpoint(.get, "/media/{id}", errors: [404, 409, 416, 503, 507])
    /// Returns the picture of an item.
    package let picture = Endpoint(.get, "/pictures/{id}", errors: [404, 416])
    /// Returns subtitles of an item as WebVTT.
    package let subtitles = Endpoint(.get, "/subtitles/{id}/{number}", errors: [404, 409])
    /// Returns a file of the sample stream.
    package let sample = Endpoint(.get, "/sample/{name}", errors: [404])
}
