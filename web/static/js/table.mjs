// The table screen: its looks and the host's tools.

import "./main.mjs";
import { enablePreferences, enableTools } from "./table_tools.mjs";

enablePreferences();
enableTools();
