// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Deliveries as a tree: under each post are those that its handlers made.
///
/// It shows neither times nor lines, so that it looks the same each time.
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
        let hearers = delivery.handlers.map { file(of: $0.observation.location) }
        let heard = hearers.isEmpty ? "nobody" : hearers.joined(separator: " and ")
        return "\(delivery.name)\(detail) from \(file(of: delivery.location)), heard by \(heard)"
    }

    /// The file of a place such as "Maps/SearchBox.swift:31", which is named for the object in it.
    private func file(of location: String) -> Substring {
        let path = location.prefix { $0 != "." }
        return path.split(separator: "/").last ?? path
    }
}
