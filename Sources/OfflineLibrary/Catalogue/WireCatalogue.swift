// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// A catalogue as it came: nothing in it is to be trusted but its types and counts.
struct WireCatalogue: Decodable {
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
        let given = Self.limitsKey.flatMap { decoder.userInfo[$0] as? CatalogueLimits }
        let limits = given ?? CatalogueLimits()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // The format comes first: what follows may mean something else in a newer one.
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

    private static func check(format: Int) throws(CatalogueError) {
        if format > CatalogueDocument.format {
            throw CatalogueError(
                .newerFormat,
                "The catalogue is of format \(format), and this version of offline reads up to "
                    + "\(CatalogueDocument.format). Update offline."
            )
        }
        guard format >= 1 else {
            throw CatalogueError(
                .notACatalogue,
                "The catalogue says that it is of format \(format), which there never was. Tell "
                    + "whoever offers it."
            )
        }
    }

    private static func tooMany(_ things: String, _ limit: Int) -> CatalogueError {
        CatalogueError(
            .tooLarge,
            "The catalogue has more than \(limit) \(things) and is refused. Ask whoever offers it "
                + "to split it."
        )
    }
}
