// SPDX-License-Identifier: Apache-2.0

/// How far the download of one part of a lesson is.
enum DownloadStatus: Equatable, Sendable, CustomStringConvertible {
    case absent
    case loading(Int)
    case waiting(Int)
    case downloaded

    var description: String {
        switch self {
        case .absent: "–"
        case .loading(let percent): "\(percent) %"
        case .waiting(let percent): "\(percent) % (waits)"
        case .downloaded: "✓"
        }
    }
}
