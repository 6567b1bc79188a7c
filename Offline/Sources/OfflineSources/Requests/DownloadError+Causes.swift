// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
package import OfflineModel
import Tidings
import TidingsFiles
package import TidingsHTTP
import TidingsSQLite

extension DownloadError {
    /// Creates the error of a download from an error of a lower layer.
    ///
    /// The location is the place of the caller, except for a `DownloadError`, which keeps the
    /// earlier location.
    package init(_ error: any Error, fileID: StaticString = #fileID, line: UInt = #line) {
        switch error {
        case let error as DownloadError: self = error
        case let error as HTTPError: self.init(http: error, fileID: fileID, line: line)
        case let error as SystemError: self.init(system: error, fileID: fileID, line: line)
        case let error as SQLiteError where error.code == .full:
            self.init(fullDisk: error, fileID: fileID, line: line)
        case let error as SQLiteError:
            self.init(.database, error.message, cause: error, fileID: fileID, line: line)
        case let error as PlaylistError:
            self.init(playlist: error, fileID: fileID, line: line)
        case let error as MediaError: self.init(media: error, fileID: fileID, line: line)
        case is CancellationError:
            self.init(.cancelled, "The download was stopped.", fileID: fileID, line: line)
        default: self.init(.disk, "\(error)", cause: error, fileID: fileID, line: line)
        }
    }

    private init(http error: HTTPError, fileID: StaticString, line: UInt) {
        if error.code == .stopped, let cause = error.cause {
            self.init(cause, fileID: fileID, line: line)
            return
        }
        let code: Code =
            switch error.code {
            case .privateAddress: .privateAddress
            case .cancelled, .closed: .cancelled
            case .ownAddress, .unsupportedScheme, .invalidAddress, .tooLarge: .refused
            case .tooManyRedirects, .cannotResolve, .cannotConnect, .proxyRefused,
                .secureConnection, .handshakeFailed, .timedOut, .cut, .stopped, .protocolViolation:
                .connection
            }
        self.init(code, error.message, cause: error, fileID: fileID, line: line)
        isTransient = error.isTransient
    }

    private init(fullDisk error: any Error, fileID: StaticString, line: UInt) {
        self.init(
            .diskFull,
            "The disk is full. The received data is kept. Free some space, and offline continues.",
            cause: error,
            fileID: fileID,
            line: line
        )
    }

    private init(system error: SystemError, fileID: StaticString, line: UInt) {
        if error.isFullDisk {
            self.init(fullDisk: error, fileID: fileID, line: line)
        } else {
            self.init(
                .disk,
                "The library cannot be written (\(error.descriptionWithPath)). Check its folder, "
                    + "then try again.",
                cause: error,
                fileID: fileID,
                line: line
            )
        }
    }

    private init(playlist error: PlaylistError, fileID: StaticString, line: UInt) {
        let isRefusal: [PlaylistError.Code] = [
            .protected, .unsupported, .forbiddenAddress, .noSuchQuality,
            .tooLarge,
        ]
        self.init(
            error.code == .live
                ? .live : isRefusal.contains(error.code) ? .refused : .invalidPlaylist,
            error.message,
            cause: error,
            fileID: fileID,
            line: line
        )
    }

    private init(media error: MediaError, fileID: StaticString, line: UInt) {
        let code: Code =
            switch error.code {
            case .toolMissing: .toolMissing
            case .wrongKey: .wrongKey
            case .notMedia: .notMedia
            case .formatChanges: .refused
            case .noSpace: .diskFull
            case .cancelled: .cancelled
            case .cannotRead, .incomplete, .tooLarge, .timedOut, .failed: .mux
            }
        self.init(code, error.message, cause: error, fileID: fileID, line: line)
    }
}

extension DownloadError {
    /// Creates the error for a response whose status does not permit keeping the body.
    package init(
        status: Int,
        head: HTTPResponseHead,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let remedy =
            switch status {
            case 401, 403: "A login may be required, or the link has expired; get a new address."
            case 404, 410: "Check the address; the content may have been removed."
            case 429: "It limits the number of requests; wait, then try again."
            case 500...: "The server has a problem; try again later."
            default: "Check the address, then try again."
            }
        self.init(
            .status,
            "The server answered \(status) for \(head.address.redacted). \(remedy)",
            fileID: fileID,
            line: line
        )
        self.status = status
        isTransient = [408, 425, 429].contains(status) || status >= 500
        retryAfter = head.retryAfter
    }

    /// Creates the error for content that no source recognizes.
    package init(refusing kind: ContentKind, at address: WebAddress) {
        let found =
            kind == .html
            ? "now returns a web page instead of its file. The received data is kept: try again "
                + "later, or remove the item and add its address again."
            : "is in no supported format. Paste the address of the media itself."
        self.init(.unsupported, "\(address.redacted) \(found)")
    }

    /// Creates the error for a response with a content encoding that was not requested.
    ///
    /// The decompressed size of such a response is unknown. The initializer returns nil for a
    /// response without an encoding, and for the address of a compressed file.
    package init?(refusingEncodingOf head: HTTPResponseHead) {
        guard let encoding = head.contentEncoding else { return nil }
        let name = head.address.lastPathComponent.lowercased()
        guard ![".gz", ".tgz", ".bz2", ".xz", ".zst"].contains(where: name.hasSuffix) else {
            return nil
        }
        self.init(
            .unsupported,
            "\(head.address.redacted) was sent with an unrequested compression (\(encoding)). The "
                + "server is misconfigured; use another address of the content."
        )
    }

    /// Returns the error for a description with more than `limit` bytes.
    package static func descriptionTooLarge(limit: Int) -> DownloadError {
        DownloadError(
            .refused,
            "The playlist or page is larger than \(limit >> 20) MiB and was refused."
        )
    }
}

extension DownloadError {
    /// The error of a response without a body.
    package static let emptyResponse = DownloadError(
        .unsupported,
        "The server sent an empty response. Check the address, then try again."
    )

    /// Creates the error of a response that ended without the bytes that were requested.
    package init(
        incompleteResponseOf address: WebAddress,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(
            .connection,
            "\(address.host) ended its response too early. Try again later.",
            fileID: fileID,
            line: line
        )
        isTransient = true
    }
}
