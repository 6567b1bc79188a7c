// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineModel
import OfflineSources
import TidingsDiagnostics
// Re-exported so that `error.code` needs no other import.
@_exported public import TidingsErrors
import TidingsFiles
import TidingsHTTP
import TidingsUserNotifications

/// Thrown when an operation refuses a request.
package typealias APIError = CodedError<APIErrorCode>

/// The kinds of ``APIError``.
package enum APIErrorCode: String, ErrorCode {
    /// The request's body or parameters are invalid for the path.
    case badRequest
    /// The path leads to nothing.
    case notFound
    /// Reports are not recorded.
    case notRecording
}

/// An error response of the interface, in the form `{"error":{"code":…,"message":…}}`.
package struct FailureJSON: Codable, Sendable, Equatable {
    struct Detail: Codable, Sendable, Equatable {
        var code: String
        var message: String
    }

    var error: Detail

    /// Creates the content of an error response.
    package init(code: String, message: String) {
        error = Detail(code: code, message: message)
    }
}

extension FailureJSON {
    /// Returns the status, the code and the message of the response to an error.
    package static func parts(
        of error: any Error
    ) -> (status: Int, code: String, message: String) {
        switch error {
        case let error as LibraryError:
            (status(of: error.code), error.code.description, error.message)
        case let error as CatalogError:
            (status(of: error.code), error.code.description, error.message)
        case let error as FeedError:
            (status(of: error.code), error.code.description, error.message)
        case let error as HTTPError: (400, error.code.description, error.message)
        case let error as PlaylistError: (400, error.code.description, error.message)
        case let error as UserNotificationError:
            (error.code == .notDelivered ? 404 : 400, error.code.description, error.message)
        case let error as DiagnosticsError: (500, error.code.description, error.message)
        case let error as HandoverError: (409, "noMachine", error.message)
        case let error as APIError:
            (status(of: error.code), error.code.description, error.message)
        case let error as SystemError where error.isFullDisk:
            (507, "diskFull", "The disk is full. Free some space, then try again.")
        default:
            (500, "internal", "The request failed. Try again, or restart `offline serve`.")
        }
    }

    private static func status(of code: APIErrorCode) -> Int {
        switch code {
        case .badRequest: 400
        case .notFound: 404
        case .notRecording: 409
        }
    }

    private static func status(of code: CatalogError.Code) -> Int {
        switch code {
        case .noSuchLesson: 404
        case .noAddress, .noSuchPart: 409
        case .unavailable: 503
        case .notJSON, .notACatalog, .newerFormat, .tooLarge, .duplicateLesson, .forbiddenAddress:
            500
        }
    }

    private static func status(of code: FeedError.Code) -> Int {
        switch code {
        case .notFollowed: 404
        case .notAFeed, .damaged, .tooLarge, .privateAddress, .invalidKeep: 400
        case .gone, .unreachable: 502
        case .unavailable: 503
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
        case .cannotOpen, .newerVersion, .damaged, .migrationFailed, .database: 500
        }
    }
}
