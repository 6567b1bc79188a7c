// SPDX-License-Identifier: Apache-2.0

extension ModelProgram: CustomStringConvertible {
    /// The program as indented lines for the report of a failure.
    var description: String {
        var lines = ["\(centers) center(s)\(isOnMain ? ", on the main actor" : "")"]
        if tokensOutliveCenters { lines.append("the tokens outlive the centers") }
        if hasUnhandledHook { lines.append("with a hook for messages that nobody heard") }
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
        case .join(let first, let second): "join \(first) and \(second)"
        case .block(let id): "block \(id)"
        case .resume(let id): "resume \(id)"
        case .post(let post): "\(post)"
        case .count(let place): "count at \(place)"
        case .recall(let place): "recall at \(place)"
        case .forget(let place): "forget at \(place)"
        case .finish(let center): "finish center \(center)"
        case .silence(let center, true): "block center \(center)"
        case .silence(let center, false): "resume center \(center)"
        case .release(let owner): "release owner \(owner)"
        case .remove(let owner, let center): "remove owner \(owner) from \(center)"
        case .empty(let bag, let byDropping): "\(byDropping ? "drop" : "cancel all of") bag \(bag)"
        case .churn(let place, let count): "churn \(count) at \(place)"
        case .pause(let rounds): "pause \(rounds)"
        }
    }
}
