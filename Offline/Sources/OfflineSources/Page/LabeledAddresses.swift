// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel

/// The addresses in a string such as `[360p]URL,[720p]URL` or `URL or URL`.
enum LabeledAddresses {
    private static let limit = 64

    /// Returns the addresses with their labels, or an empty list for a string in another format.
    static func list(_ text: String) -> [(label: String?, reference: String)] {
        let bytes = text.utf8
        let hasLabels = bytes.first == UInt8(ascii: "[")
        guard bytes.count <= limit * PageFindings.addressLength,
            hasLabels && bytes.contains(UInt8(ascii: "]")) || text.contains(" or ")
        else { return [] }
        var result: [(label: String?, reference: String)] = []
        for piece in hasLabels ? pieces(text) : [text[...]] {
            var rest = piece
            var label: String?
            if rest.first == "[", let end = rest.firstIndex(of: "]") {
                label = String(rest[rest.index(after: rest.startIndex)..<end].prefix(64))
                rest = rest[rest.index(after: end)...]
            }
            for address in rest.components(separatedBy: " or ") where result.count < limit {
                let reference = Substring(address).trimmingSpaces
                if !reference.isEmpty { result.append((label, String(reference))) }
            }
        }
        return result
    }

    /// Returns the parts that start with labels.
    ///
    /// A comma without a label belongs to an address.
    private static func pieces(_ text: String) -> [Substring] {
        var pieces: [Substring] = []
        for piece in text.split(separator: ",") {
            let isNew = piece.trimmingSpaces.first == "["
            if isNew || pieces.isEmpty {
                pieces.append(piece.trimmingSpaces)
            } else if let last = pieces.popLast() {
                pieces.append(text[last.startIndex..<piece.endIndex])
            }
        }
        return pieces
    }
}
