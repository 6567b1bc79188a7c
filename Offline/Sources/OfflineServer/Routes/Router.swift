// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsDiagnostics
import TidingsFiles
import TidingsHTTP
import TidingsUserNotifications

/// Handles the requests that the guard admitted; independent of sockets.
struct Router: Sendable {
    let library: Library
    let hub: EventHub
    let notifications: any NotificationService
    let reports: any ReportRecorder
    let activity: ActivityWatch
    let devices: DeviceAccess?
    /// The other machines; nil without `--join`.
    let household: (any HouseholdService)?
    let page: PageFiles
    let sample: ResourceFiles
    /// Returns a new address that admits one browser.
    let entryAddress: @Sendable () -> String
    /// Shows a file in the file manager of this machine; nil without a desktop, and for devices.
    var showInFolder: (@Sendable (String) async -> Bool)?

    /// Returns the response to one request; an error becomes an error response.
    func respond(to request: ServerRequest) async -> ServerResponse {
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        do {
            let response =
                if request.isRead {
                    try await read(Array(path), request)
                } else {
                    try await write(Array(path), request)
                }
            return response ?? .notFound
        } catch {
            if let error = error as? LibraryError, error.code == .database {
                let operation = request.method + " " + request.path
                library.messages.post(RegistryFailed(operation: operation, error: error))
            }
            return Self.failure(error)
        }
    }

    private func read(
        _ path: [Substring],
        _ request: ServerRequest
    ) async throws -> ServerResponse? {
        switch path {
        case ["api", "library"]: folder(request)
        case ["api", "items"]: try await listItems(request)
        case ["api", "devices"]: .json(DeviceList(devices))
        case ["api", "machines"]: machines()
        case ["api", "settings"]: .json(SettingsJSON(try library.settings()))
        case ["api", "preferences"]: try await preferences()
        case ["api", "notifications"]: try await listNotifications()
        case ["api", "reports"]: try await listReports()
        case ["api", "queue"]: .json(library.queueState.lastData ?? QueueState())
        case ["api", "connectivity"]: .json(ConnectivityJSON(library.connectivity.state.state))
        case ["api", "catalog"]: try await catalog(request)
        case ["api", "feeds"]: try feeds()
        case ["api", "collections"]: try collections()
        case ["api", "uploads"]: try checkUpload(request)
        case ["api", "playback"]: try listPlayback(request)
        case ["api", "export"]: try await exportLibrary()
        case ["api", "verify"]: try verification(request)
        case ["api", "inspect", "picture"]: try await inspectedPicture(request)
        case ["api", "activity"]: listActivity()
        case ["api", "activity", "events"] where request.method == "GET": followActivity()
        case ["api", "events"] where request.method == "GET": .events(of: hub.connect())
        case [""], ["add"]: page.frame.response(to: request)
        default:
            switch (path.count, path.first, path.last) {
            case (3, "api", let id?) where path[1] == "items": try await item(id)
            case (4, "api", "playback") where path[1] == "items": try playback(path[2])
            case (4, "api", "tracks") where path[1] == "items": try await tracks(path[2])
            case (3, "api", let id?) where path[1] == "reports": try await report(id)
            case (2, "media", let id?): try await media(id, request)
            case (2, "pictures", let id?): try picture(id, request)
            case (3, "subtitles", let number?): try await subtitles(path[1], number)
            case (2, "sample", let name?): sample[String(name)]?.response(to: request)
            case (3, "page", let name?): page.response(path[1], name)
            case (1, _, let name?): page.response(name, to: request)
            default: nil
            }
        }
    }

    private func write(
        _ path: [Substring],
        _ request: ServerRequest
    ) async throws -> ServerResponse? {
        switch (request.method, path) {
        case ("POST", ["api", "downloads"]):
            return try await enqueue(request)
        case ("POST", ["api", "machines", "downloads"]):
            return try await handOver(request)
        case ("POST", ["api", "inspect"]):
            return try await inspect(request)
        case ("POST", ["api", "items"]):
            return try await enqueuePasted(request)
        case ("POST", ["api", "library", "show"]):
            return try await showFolder(request)
        case ("POST", ["api", "sample"]):
            return try await enqueueSample()
        case ("PUT", ["api", "catalog"]):
            return try setCatalog(request)
        case ("PATCH", ["api", "settings"]):
            return try await changeSettings(request)
        case ("DELETE", ["api", "catalog"]):
            return try removeCatalog()
        case ("POST", ["api", "catalog", "refresh"]):
            return try refreshCatalog()
        case ("POST", _)
        where path.count > 4 && path.starts(with: ["api", "catalog", "lessons"]):
            guard path.last == "downloads" else { return nil }
            // An identifier may contain slashes.
            let id = path[3..<(path.count - 1)].joined(separator: "/")
            return try await downloadLesson(id, request)
        case ("POST", ["api", "devices", "invitations"]):
            return try inviteDevice()
        case ("POST", _)
        where path.count == 4 && path.starts(with: ["api", "devices", "arrivals"]):
            return try decide(path[3], request)
        case ("DELETE", _) where path.count == 3 && path.starts(with: ["api", "devices"]):
            return try removeDevice(path[2])
        case ("POST", ["api", "feeds"]):
            return try await follow(request)
        case ("POST", _) where path.count == 4 && path.starts(with: ["api", "feeds"]):
            return try await changeFeed(path[2], by: path[3])
        case ("DELETE", _) where path.count == 3 && path.starts(with: ["api", "feeds"]):
            return try unfollow(path[2])
        case (_, _) where path.starts(with: ["api", "collections"]):
            return try writeCollections(path.dropFirst(2), request)
        case ("POST", ["api", "refresh"]):
            return try await refresh(request)
        case ("POST", ["api", "import"]):
            return try await importLibrary(request)
        case ("POST", ["api", "verify"]):
            return try await verify(request)
        case ("DELETE", ["api", "verify"]):
            return try stopVerification(request)
        case ("DELETE", ["api", "reports"]):
            return try await deleteReports()
        case ("DELETE", _) where path.count == 3 && path.starts(with: ["api", "reports"]):
            return try await deleteReport(path[2])
        case ("POST", ["api", "reports", "test"]):
            return recordTestReport()
        case ("POST", ["api", "reports", "consent"]):
            return try await setConsent(request)
        case ("POST", ["api", "reports", "send"]):
            return try await sendReports()
        case ("POST", ["api", "preferences"]):
            return try await setPreferences(request)
        case ("POST", ["api", "tickets"]):
            return .json(EntryJSON(address: entryAddress()), status: 201)
        case ("POST", ["api", "presence"]):
            return try setPresence(request)
        case ("POST", ["api", "notifications", "read"]):
            return try await markNotificationsRead()
        case ("POST", _) where path.count == 4 && path.starts(with: ["api", "notifications"]):
            guard path[3] == "response" else { return nil }
            return try respondToNotification(path[2], request)
        case ("POST", _)
        where path.count == 4 && path.starts(with: ["api", "items"]) && path[3] == "rename":
            return try await rename(path[2], request)
        case ("PUT", _)
        where path.count == 4 && path.starts(with: ["api", "items"]) && path[3] == "playback":
            return try play(path[2], request)
        case ("POST", _) where path.count == 3 && path.starts(with: ["api", "items"]):
            return try await changeAll(by: path[2])
        case ("POST", _) where path.count == 4 && path.starts(with: ["api", "items"]):
            if path[3] == "move" { return try await move(path[2], request) }
            return try await change(path[2], by: path[3], request)
        case ("DELETE", _) where path.count == 3 && path.starts(with: ["api", "items"]):
            return try await remove(path[2], request)
        default:
            return nil
        }
    }

    /// Parses an item's identifier from a path component.
    ///
    /// - Throws: `LibraryError` with `.notFound`.
    func identifier(_ text: Substring) throws(LibraryError) -> ItemID {
        guard let id = ItemID(text) else {
            throw LibraryError(
                .notFound,
                "“\(text.prefix(20))” is not an item number. Use a number from the list."
            )
        }
        return id
    }

    static func failure(_ error: any Error) -> ServerResponse {
        switch error {
        case let error as LibraryError:
            .failure(status(of: error.code), error.code.description, error.message)
        case let error as CatalogError:
            .failure(status(of: error.code), error.code.description, error.message)
        case let error as FeedError:
            .failure(status(of: error.code), error.code.description, error.message)
        case let error as HTTPError:
            .failure(400, error.code.description, error.message)
        case let error as PlaylistError:
            .failure(400, error.code.description, error.message)
        case let error as UserNotificationError:
            .failure(
                error.code == .notDelivered ? 404 : 400,
                error.code.description,
                error.message
            )
        case let error as DiagnosticsError:
            .failure(500, error.code.description, error.message)
        case let error as HandoverError:
            .failure(409, "noMachine", error.message)
        case let error as ServerError:
            .failure(400, error.code.description, error.message)
        case let error as SystemError where error.isFullDisk:
            .failure(507, "diskFull", "The disk is full. Free some space, then try again.")
        default:
            .failure(
                500,
                "internal",
                "The request failed. Try again, or restart `offline serve`."
            )
        }
    }

    private static func status(of code: CatalogError.Code) -> Int {
        switch code {
        case .noSuchLesson: 404
        case .noAddress, .noSuchPart: 409
        case .unavailable: 503
        default: 500
        }
    }

    private static func status(of code: LibraryError.Code) -> Int {
        switch code {
        case .notFound: 404
        case .invalidAddress, .invalidOption, .invalidImport, .invalidSetting, .invalidTitle,
            .invalidPlayback, .invalidName, .unknownQuality, .notMedia, .incomplete:
            400
        case .notRetryable, .notPausable, .notQueued, .notCancellable, .notRecording, .inUse,
            .otherChecksum, .verifying, .unreadableSubtitles, .addressInUse, .collectionExists,
            .subtitlesExist, .unreadableSound:
            409
        case .unavailable, .toolMissing: 503
        case .diskFull: 507
        default: 500
        }
    }
}
