// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsTracing

/// Deliveries as a tree, with the posts of a post's handlers below the post.
///
/// The tree omits times and lines, so that the output is always the same.
struct TraceTree: CustomStringConvertible {
    private let children: [UInt64?: [DeliveryRecord]]

    init(_ deliveries: [DeliveryRecord]) {
        children = Dictionary(grouping: deliveries, by: \.cause)
    }

    var description: String {
        lines(below: nil, indent: "  ").joined(separator: "\n")
    }

    private func lines(below cause: UInt64?, indent: String) -> [String] {
        children[cause, default: []].flatMap { delivery in
            let branch = cause == nil ? "" : "└─ "
            let below = indent + String(repeating: " ", count: branch.count)
            return [indent + branch + text(of: delivery)]
                + lines(below: delivery.number, indent: below)
        }
    }

    private func text(of delivery: DeliveryRecord) -> String {
        let detail = delivery.detail.map { " (\($0))" } ?? ""
        let files = delivery.handlers.map { file(of: $0.observation.location) }
        let handlers = files.isEmpty ? "no handler" : files.joined(separator: " and ")
        let poster = file(of: delivery.location)
        return "\(delivery.name)\(detail) from \(poster), handled by \(handlers)"
    }

    /// Returns the file name of a location such as "Maps/SearchBox.swift:31", without the
    /// extension.
    private func file(of location: String) -> Substring {
        let path = location.prefix { $0 != "." }
        return path.split(separator: "/").last ?? path
    }
}
