// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// Makes a catalogue of what came, and refuses what must not be in one.
struct CatalogueBuilder {
    let address: WebAddress
    let limits: CatalogueLimits
    private var ids: Set<String> = []
    private var addressBytes = 0

    init(address: WebAddress, limits: CatalogueLimits) {
        self.address = address
        self.limits = limits
    }

    mutating func groups(_ wire: [WireCatalogue.Group]) throws(CatalogueError) -> [LessonGroup] {
        var groups: [LessonGroup] = []
        groups.reserveCapacity(wire.count)
        for (index, group) in wire.enumerated() {
            var lessons: [Lesson] = []
            lessons.reserveCapacity(group.lessons.count)
            for (number, lesson) in group.lessons.enumerated() {
                lessons.append(try self.lesson(lesson, "\(number + 1) of group \(index + 1)"))
            }
            let title = Title(line: group.title ?? "", fallback: "").text
            groups.append(LessonGroup(title: title, lessons: lessons))
        }
        return groups
    }

    private mutating func lesson(
        _ wire: WireCatalogue.Lesson,
        _ place: @autoclosure () -> String
    ) throws(CatalogueError) -> Lesson {
        let id = Title(line: wire.id, longest: limits.idLength + 1, fallback: "").text
        // A path of the API ends in the identifier, and these mean another path.
        guard !id.isEmpty, id != ".", id != "..", id.count <= limits.idLength else {
            throw CatalogueError(
                .notACatalogue,
                "Lesson \(place()) of the catalogue has no identifier of 1 to \(limits.idLength) "
                    + "characters. Tell whoever offers it."
            )
        }
        guard ids.insert(id).inserted else {
            throw CatalogueError(
                .duplicateLesson,
                "Two lessons of the catalogue have the identifier “\(id)”, so nobody could tell "
                    + "them apart. Tell whoever offers it."
            )
        }
        return Lesson(
            id: id,
            title: Title(line: wire.title ?? "", fallback: id).text,
            audio: try resolve(wire.audio, .audio, of: id),
            video: try resolve(wire.video, .video, of: id),
            text: try resolve(wire.text, .text, of: id)
        )
    }

    private mutating func resolve(
        _ reference: String?,
        _ part: LessonPart,
        of id: String
    ) throws(CatalogueError) -> WebAddress? {
        guard let reference, !reference.isEmpty else { return nil }
        guard reference.utf8.count <= limits.addressBytes else { throw tooLong(part, of: id) }
        let resolved: WebAddress
        do {
            resolved = try address.resolving(reference)
        } catch {
            throw CatalogueError(
                .forbiddenAddress,
                "The \(part.rawValue) of lesson “\(id)” is not an address of the web; only http "
                    + "and https are fetched. Tell whoever offers the catalogue.",
                cause: error
            )
        }
        let count = resolved.text.utf8.count
        guard count <= limits.addressBytes else { throw tooLong(part, of: id) }
        addressBytes += count
        guard addressBytes <= limits.allAddressBytes else {
            throw CatalogueError(
                .tooLarge,
                "The addresses of the catalogue take more than \(limits.allAddressBytes >> 20) MiB "
                    + "and are refused. Ask whoever offers it to split it."
            )
        }
        return resolved
    }

    private func tooLong(_ part: LessonPart, of id: String) -> CatalogueError {
        CatalogueError(
            .tooLarge,
            "The address of the \(part.rawValue) of lesson “\(id)” is longer than "
                + "\(limits.addressBytes) bytes. Tell whoever offers the catalogue."
        )
    }
}
