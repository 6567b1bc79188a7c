// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineModel
import Tidings

/// Handles the requests that the guard admitted.
///
/// Does not depend on sockets. The routes follow from the operations that OfflineAPI declares.
struct Router: ServerService {
    let library: Library
    let hub: EventHub
    let notifications: any NotificationService
    let reports: any ReportRecorder
    let activity: ActivityWatch
    let devices: (any DeviceService)?
    /// The other machines, or nil without `--join`.
    let household: (any HouseholdService)?
    let page: PageFiles
    let sample: ResourceFiles
    /// Returns a new address that admits one browser.
    let entryAddress: @Sendable () -> String
    /// Shows a file in the file manager of this machine.
    ///
    /// Nil without a desktop and for other devices.
    var showInFolder: (@Sendable (String) async -> Bool)?

    var recentActivity: ActivityJSON { activity.snapshot }

    func setInFront(_ isInFront: Bool, client: Int) -> Bool {
        hub.setInFront(isInFront, client: client)
    }

    /// Returns the response to one request.
    ///
    /// An error becomes an error response.
    func respond(to request: ServerRequest) async -> ServerResponse {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        let path = Array(parts.dropFirst())
        let found = Self.routes.compactMap { route in
            route.endpoint.path.values(in: path).map { (route, $0) }
        }
        if found.isEmpty, let response = file(path, request) {
            return request.isRead
                ? response : .wrongMethod(request.method, allowed: ["GET", "HEAD"])
        }
        let methods = found.flatMap(\.0.endpoint.methods)
        guard
            let (route, values) = found.first(where: {
                $0.0.endpoint.methods.contains(request.method)
            })
        else {
            return found.isEmpty
                ? .failure(APIError.nothingHere) : .wrongMethod(request.method, allowed: methods)
        }
        do {
            return try await route.respond(self, request, values)
        } catch {
            if let error = error as? LibraryError, error.code == .database {
                let operation = request.method + " " + request.path
                library.messages.post(RegistryFailed(operation: operation, error: error))
            }
            return .failure(error)
        }
    }

    /// Returns a file of the page, or nil if the path has none.
    private func file(_ path: [Substring], _ request: ServerRequest) -> ServerResponse? {
        switch path.count {
        case 1 where ["", "add"].contains(path[0]): page.frame.response(to: request)
        case 1: page.response(String(path[0]), to: request)
        case 3... where path[0] == "page":
            page.response(path[1], path[2...].joined(separator: "/"))
        default: nil
        }
    }
}

/// An endpoint with the handler of the requests.
struct Route: Sendable {
    typealias Handler =
        @Sendable (Router, ServerRequest, _ values: [String]) async throws -> ServerResponse

    let endpoint: Endpoint
    let respond: Handler

    init(_ endpoint: Endpoint, respond: @escaping Handler) {
        self.endpoint = endpoint
        self.respond = respond
    }

    /// Returns the routes of the operations on a service.
    static func routes<Service: Sendable>(
        on service: @escaping @Sendable (Router, ServerRequest) -> Service
    ) -> [Route] {
        API.operations(on: Service.self).map { operation in
            Route(operation.endpoint) { router, request, values in
                let query = request.query.map { ($0.name, $0.value) }
                let parts = RequestParts(
                    values: values,
                    query: Dictionary(query) { first, _ in first },
                    body: request.body
                )
                let (status, content) = try await operation.answer(parts, service(router, request))
                guard let content else { return .noContent(status) }
                return .json(content, status: status)
            }
        }
    }
}

extension Router {
    /// The routes of all operations and streams.
    static let routes: [Route] =
        Route.routes { router, _ in router.library }
        + Route.routes { router, _ in router.reports }
        + Route.routes { router, _ in router.notifications }
        + Route.routes { router, request -> any ServerService in router.server(for: request) }
        + [
            Route(API.streams.export) { router, _, _ in try await router.exportLibrary() },
            Route(API.streams.upload) { _, _, _ in
                // A receiver takes the body of every upload.
                .failure(APIError.nothingHere)
            },
            Route(API.streams.inspectedPicture) { router, request, _ in
                try await router.inspectedPicture(request)
            },
            Route(API.streams.events) { router, _, _ in await router.followEvents() },
            Route(API.streams.activity) { router, _, _ in .events(of: router.activity.connect()) },
            Route(API.streams.media) { router, request, values in
                try await router.media(values[0], request)
            },
            Route(API.streams.picture) { router, request, values in
                try router.picture(values[0], request)
            },
            Route(API.streams.subtitles) { router, _, values in
                try await router.subtitles(values[0], values[1])
            },
            Route(API.streams.sample) { router, request, values in
                guard let file = router.sample[values[0]] else { throw APIError.nothingHere }
                return file.response(to: request)
            },
        ]

    /// Returns the server for one request.
    ///
    /// For a page on another machine, the file manager would open a window that the user does not
    /// see.
    private func server(for request: ServerRequest) -> Router {
        let host = request.header("host") ?? ""
        let isHere = ["127.0.0.1", "localhost", "[::1]"].contains {
            host == $0 || host.hasPrefix($0 + ":")
        }
        var server = self
        if !isHere { server.showInFolder = nil }
        return server
    }
}
