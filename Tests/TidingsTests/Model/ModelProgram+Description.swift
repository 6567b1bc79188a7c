// SPDX-License-Identifier: Apache-2.0

extension ModelProgram: CustomStringConvertible {
    /// The program as indented lines, for the report of a failure.
    var description: String {
        var lines = ["\(centers) center(s)\(isOnMain ? ", on the main actor" : "")"]
        if tokensOutliveCenters { lines.append("the tokens outlive the centers") }
        func add(_ title: String, _ operations: [ModelOperation], _ indent: String) {
            if operations.isEmpty { return }
            lines.append("\(indent)\(title):")
            for operation in operations {
                lines.append("\(indent)  \(operation)")
                guard case .observe(let observation) = operation else { continue }
                for (call, script) in observation.scripts.enumerated() {
                    add("in call \(call)", script, indent + "    ")
                }
                add("when released", observation.last, indent + "    ")
            }
        }
        add("setup", setup, "")
        for (index, thread) in threads.enumerated() { add("thread \(index)", thread, "") }
        for (index, owner) in owners.enumerated() { add("deinit of owner \(index)", owner, "") }
        return lines.joined(separator: "\n")
    }
}

extension ModelOperation: CustomStringConvertible {
    var description: String {
        switch self {
        case .observe(let observation): "observe \(observation)"
        case .cancel(let id): "cancel \(id)"
        case .drop(let id): "drop \(id)"
        case .post(let number, let place): "post #\(number) at \(place)"
        case .count(let place): "count at \(place)"
        case .release(let owner): "release owner \(owner)"
        case .empty(let bag, let byDropping): "\(byDropping ? "drop" : "cancel all of") bag \(bag)"
        case .churn(let place, let count): "churn \(count) at \(place)"
        case .pause(let rounds): "pause \(rounds)"
        }
    }
}

extension ModelObservation: CustomStringConvertible {
    var description: String {
        "\(id) at \(place), \(form), priority \(priority), kept by \(keeping)"
    }
}

extension ModelPlace: CustomStringConvertible {
    var description: String { "\(center)/\(type)" }
}
