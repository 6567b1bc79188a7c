// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

extension DownloadError {
    /// Whether a report of this failure can help a developer.
    ///
    /// A report does not help if the program or the server refuses the content, or if the user's
    /// disk, network or installation is the reason. A developer cannot change any of these.
    var concernsDevelopers: Bool {
        switch code {
        case .refused, .live, .several, .feed, .sameFile, .unsupported, .privateAddress,
            .checksum, .offline, .diskFull, .toolMissing, .cancelled:
            false
        case .status: !(400..<500).contains(status ?? 0)
        case .connection: !isFaultOfTheNetwork
        default: true
        }
    }

    private var isFaultOfTheNetwork: Bool {
        switch (cause as? HTTPError)?.code {
        case .cannotResolve, .cannotConnect, .proxyRefused, .secureConnection, .timedOut: true
        case .invalidAddress, .unsupportedScheme, .privateAddress, .ownAddress, .tooManyRedirects,
            .handshakeFailed, .cut, .tooLarge, .stopped, .cancelled, .closed, .protocolViolation,
            nil:
            false
        }
    }
}
