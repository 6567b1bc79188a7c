// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

extension DownloadError {
    /// Whether a report of this failure can help a developer.
    ///
    /// It cannot if the program or the server refuses the content, or if the person's disk, network
    /// or installation is the reason: only the person, or nobody, can change that.
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
        default: false
        }
    }
}
