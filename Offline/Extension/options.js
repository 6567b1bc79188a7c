// SPDX-License-Identifier: Apache-2.0
// The options page with the address of the program.

import { originOf, program, setProgram } from "./program.js";

const field = document.getElementById("program");
const result = document.getElementById("result");

document.getElementById("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const origin = originOf(field.value);
  if (!origin) {
    result.textContent = "This is no address of a program. Use one such as http://127.0.0.1:8420.";
    field.focus();
    return;
  }
  // The stored address has no path and no token.
  await setProgram(origin);
  field.value = origin;
  result.textContent = "Saved.";
});

field.value = await program();
