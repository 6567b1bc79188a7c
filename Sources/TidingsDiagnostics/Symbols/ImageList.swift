// SPDX-License-Identifier: Apache-2.0

/// The files that were mapped into a process, for whoever reads its addresses later.
struct ImageList: Codable, Equatable, Sendable {
    struct Image: Codable, Equatable, Sendable {
        let path: String
        let start: UInt64
        let end: UInt64
        /// Lower-case hexadecimal, nil when the file has none.
        let buildID: String?

        /// The last part of the path.
        var name: String {
            path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        }

        func contains(_ address: UInt64) -> Bool { address >= start && address < end }
    }

    /// The name of the processor's kind, such as `x86_64`.
    let architecture: String
    /// In the order of their addresses; none lies in another one.
    let images: [Image]

    init(architecture: String, images: [Image]) {
        self.architecture = architecture
        var kept: [Image] = []
        for image in images.sorted(by: { $0.start < $1.start })
        where image.start < image.end && image.start >= kept.last?.end ?? 0 {
            kept.append(image)
        }
        self.images = kept
    }

    /// The image that an address lies in.
    func image(at address: UInt64) -> Image? {
        images.first { $0.contains(address) }
    }
}

extension ImageList {
    /// What the system says of a path whose file is not there any more.
    private static let deleted = " (deleted)"

    /// The images of a process that has crashed: those that were mapped then, and of those that
    /// were known before what is not among them.
    init(_ capture: RawCapture, known: ImageList?) {
        var mapped: [UInt64: Image] = [:]
        for mapping in capture.mappings {
            guard let base = mapping.base, base <= mapping.start else { continue }
            let isDeleted = mapping.path.hasSuffix(Self.deleted)
            let path = isDeleted ? mapping.path.dropLast(Self.deleted.count) : mapping.path[...]
            mapped[base] = Image(
                path: String(path),
                start: base,
                end: max(mapping.end, mapped[base]?.end ?? 0),
                buildID: mapping.buildID
            )
        }
        let others = (known?.images ?? []).filter { image in
            !mapped.values.contains { $0.start < image.end && image.start < $0.end }
        }
        let architecture = capture.architecture?.name ?? known?.architecture
        self.init(
            architecture: architecture ?? RawCapture.Architecture.own?.name ?? "",
            images: mapped.values + others
        )
    }
}

extension RawCapture.Architecture {
    /// The one of this process; nil when its registers are not known here.
    static var own: Self? {
        #if arch(x86_64)
        .x86
        #elseif arch(arm64)
        .arm
        #else
        nil
        #endif
    }

    var name: String {
        switch self {
        case .x86: "x86_64"
        case .arm: "arm64"
        }
    }
}
