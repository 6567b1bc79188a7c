// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP
import TidingsSQLite

extension DownloadError {
    /// What an error of a part below means for a download.
    init(_ error: any Error) {
        switch error {
        case let error as DownloadError: self = error
        case let error as HTTPError: self.init(http: error)
        case let error as DiskError: self.init(disk: error)
        case let error as SQLiteError:
            let code: Code = error.code == .full ? .diskFull : .database
            self.init(code, error.message, cause: error)
        case let error as PlaylistError: self.init(playlist: error)
        case let error as MediaError: self.init(media: error)
        case is CancellationError: self.init(.cancelled, "The download was stopped.")
        default: self.init(.disk, "\(error)", cause: error)
        }
    }

    private init(http error: HTTPError) {
        if error.code == .stopped, let cause = error.cause {
            self.init(cause)
            return
        }
        let code: Code =
            switch error.code {
            case .privateAddress: .privateAddress
            case .cancelled, .closed: .cancelled
            case .ownAddress, .unsupportedScheme, .invalidAddress, .tooLarge: .refused
            default: .connection
            }
        self.init(code, error.message, cause: error)
        isTransient = error.isTransient
    }

    private init(disk error: DiskError) {
        if error.isFull {
            self.init(
                .diskFull,
                "The disk is full. What was fetched is kept; free some space, then try again.",
                cause: error
            )
        } else {
            self.init(
                .disk,
                "The library cannot be written (\(error)). Check its folder, then try again.",
                cause: error
            )
        }
    }

    private init(playlist error: PlaylistError) {
        let isRefusal: [PlaylistError.Code] = [
            .live, .protected, .separateAudio, .unsupported, .forbiddenAddress, .noSuchRendition,
            .tooLarge,
        ]
        self.init(
            isRefusal.contains(error.code) ? .refused : .invalidPlaylist,
            error.message,
            cause: error
        )
    }

    private init(media error: MediaError) {
        let code: Code =
            switch error.code {
            case .toolMissing: .toolMissing
            case .wrongKey: .wrongKey
            case .notMedia: .notMedia
            case .noSpace: .diskFull
            case .cancelled: .cancelled
            default: .mux
            }
        self.init(code, error.message, cause: error)
    }
}

extension DownloadError {
    /// An answer whose status says that there is no body to keep.
    init(status: Int, head: HTTPResponseHead) {
        let remedy =
            switch status {
            case 401, 403: "It may need a login, or the link may have expired; get a fresh address."
            case 404, 410: "Check the address; the content may have been taken away."
            case 429: "It asks for fewer requests; wait, then try again."
            case 500...: "The server has a problem; try again later."
            default: "Check the address, then try again."
            }
        self.init(
            .status,
            "The server answered \(status) for \(head.address.redacted). \(remedy)"
        )
        isTransient = [408, 425, 429].contains(status) || status >= 500
        retryAfter = head.retryAfter
    }

    /// A refusal of content that is neither a file nor HLS; nil when the content is welcome.
    init?(refusing kind: ContentKind, at address: WebAddress) {
        switch kind {
        case .html:
            self.init(
                .unsupported,
                "\(address.redacted) is a web page, not a file or an HLS stream. Paste the "
                    + "address of the media itself."
            )
        case .dash:
            self.init(
                .unsupported,
                "\(address.redacted) is a DASH stream, which offline cannot keep. Look for an "
                    + "HLS address (.m3u8) of the same content."
            )
        default:
            return nil
        }
    }

    /// A refusal of a body that came compressed although that was not asked for.
    ///
    /// Nobody can tell how large it is. A file that is an archive by its own name is welcome.
    init?(refusingEncodingOf head: HTTPResponseHead) {
        guard let encoding = head.contentEncoding else { return nil }
        let name = head.address.lastPathComponent.lowercased()
        guard ![".gz", ".tgz", ".bz2", ".xz", ".zst"].contains(where: name.hasSuffix) else {
            return nil
        }
        self.init(
            .unsupported,
            "\(head.address.redacted) came compressed (\(encoding)), which was not asked for. "
                + "The server is set up wrongly; look for another address of the content."
        )
    }

    /// A playlist that goes on beyond every sensible length.
    static var playlistTooLarge: DownloadError {
        DownloadError(
            .refused,
            "The playlist is larger than \(PlaylistLimits().bytes >> 20) MiB and is refused."
        )
    }
}
