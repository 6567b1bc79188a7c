// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// A catalog document after decoding.
///
/// Only the types and counts are checked.
struct DecodedCatalog: Decodable {
    struct Group: Decodable {
        var title: String?
        var lessons: [Lesson]
    }

    struct Lesson: Decodable {
        var id: String
        var title: String?
        var audio: String?
        var video: String?
        var text: String?
    }

    enum CodingKeys: CodingKey {
        case format
        case title
        case groups
    }

    static let limitsKey = CodingUserInfoKey(rawValue: "limits")

    var title: String?
    var groups: [Group] = []

    init(from decoder: any Decoder) throws {
        let customLimits = Self.limitsKey.flatMap { decoder.userInfo[$0] as? CatalogLimits }
        let limits = customLimits ?? CatalogLimits()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // The format comes first, because a newer format may give other members a different
        // meaning.
        try Self.check(format: try container.decode(Int.self, forKey: .format))
        title = try container.decodeIfPresent(String.self, forKey: .title)
        var list = try container.nestedUnkeyedContainer(forKey: .groups)
        var count = 0
        while !list.isAtEnd {
            guard groups.count < limits.groups else {
                throw Self.tooMany("groups", limits.groups)
            }
            let group = try list.decode(Group.self)
            count += group.lessons.count
            guard count <= limits.lessons else { throw Self.tooMany("lessons", limits.lessons) }
            groups.append(group)
        }
    }

    private static func check(format: Int) throws(CatalogError) {
        if format > CatalogDocument.format {
            throw CatalogError(
                .newerFormat,
                "The catalog has format \(format), but this version of offline supports only "
                    + "formats up to \(CatalogDocument.format). Update offline."
            )
        }
        guard format >= 1 else {
            throw CatalogError(
                .notACatalog,
                "The catalog states the invalid format \(format). Contact the publisher of the "
                    + "catalog."
            )
        }
    }

    private static func tooMany(_ things: String, _ limit: Int) -> CatalogError {
        CatalogError(
            .tooLarge,
            "The catalog has more than \(limit) \(things). Ask the publisher to split it."
        )
    }
}
